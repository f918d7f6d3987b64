import type { Static, TObject } from "@sinclair/typebox";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { arrivedPart, bring } from "../runtime/lazy.ts";
import { useOnce } from "../runtime/once.ts";
import { fetchAhead } from "../runtime/preload.ts";
import type { Rule } from "./check.ts";
import { type Messages, messagesOfRefusal, readValues, type Values } from "./values.ts";

/** Its 8 kB are loaded with the first press or letter in a form. */
const loadCheck = () => import("./check.ts");

type FieldName<Schema extends TObject> = keyof Static<Schema> & string;

export interface FormOptions<Schema extends TObject> {
  schema: Schema;
  rule?: Rule<Schema>;
  /** The initial values. */
  initial?: Values<Schema>;
  /** Called with valid values. A double press calls it once. */
  send: (values: Static<Schema>) => Promise<unknown>;
  /** Maps a refusal's code, or a differing field name of the call, to the form's field. */
  fieldOf?: Partial<Record<string, FieldName<Schema>>>;
  /** Called when the messages are shown at their fields, with the values that were sent. */
  onFailure?: (error: unknown, sent: Static<Schema>) => void;
  /** Called with the last values when the form unmounts: a draft that may be wanted again. */
  onLeave?: (values: Values<Schema>) => void;
}

export type Form<Schema extends TObject> = ReturnType<typeof useForm<Schema>>;

/**
 * A form over the schema that the server checks it with:
 *
 *     const form = useForm({ schema: TokenOrder, send: issue });
 *     <form {...form.props}>
 *       <NumberField {...form.field("credits")} label="Credits" />
 *
 * The fields keep their own values, and are read from the page when they change and again when they are submitted: what
 * a password manager or the browser filled in counts, even if it came before hydration.
 */
export function useForm<Schema extends TObject>(options: FormOptions<Schema>) {
  const { schema, rule, send, fieldOf = {}, onFailure, onLeave } = options;
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState<Values<Schema>>(options.initial ?? {});
  const [values, setValues] = useState(initial);
  const [messages, setMessages] = useState<Messages>({});
  const [busy, setBusy] = useState(false);
  const { start, isHeld } = useOnce(send);

  // Values filled in before hydration count at once.
  const arrive = useEffectEvent(() => void read());
  // The fields are gone by then, so it gets the values that were read last.
  const leave = useEffectEvent(() => onLeave?.(values));
  useEffect(() => {
    arrive();
    return () => leave();
  }, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const check = arrivedPart(loadCheck) ?? (await bringCheck());
    // Meanwhile a second press may have sent the form, or the form may have been closed.
    if (isHeld() || !form.current) return;
    const filledIn = read();
    const wrong = check?.(schema, filledIn, rule) ?? {};
    refuse(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await start(filledIn as Static<Schema>);
    } catch (error) {
      refuse(messagesOfRefusal(error, fieldOf));
      onFailure?.(error, filledIn as Static<Schema>);
    } finally {
      setBusy(false);
    }
  }

  /** Returns null without a network: then only the server validates. */
  async function bringCheck() {
    setBusy(true);
    try {
      return await bring(loadCheck);
    } catch {
      return null;
    } finally {
      setBusy(false);
    }
  }

  function read(): Values<Schema> {
    if (!form.current) return values;
    const now = readValues(schema, new FormData(form.current));
    setValues(now);
    return now;
  }

  /** Shows the messages at their fields, and focuses the first field that has one. */
  function refuse(wrong: Messages) {
    // Rendered synchronously, because the focus depends on it and a blocking alert may follow.
    flushSync(() => setMessages(wrong));
    if (Object.keys(wrong).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  /**
   * Updates the message of a field, until the field is valid: while it is edited, or a field that its rule depends on.
   */
  function follow(name: string) {
    const now = read();
    const messageNow = () => arrivedPart(loadCheck)?.(schema, now, rule)[name];
    setMessages((shown) => (shown[name] ? { ...shown, [name]: messageNow() } : shown));
  }

  return {
    /** The current values. */
    values,
    busy,
    props: {
      ref: form,
      noValidate: true,
      onSubmit: submit,
      onPointerDown: () => void fetchAhead(loadCheck),
      onInput: (event: FormEvent) => {
        fetchAhead(loadCheck);
        follow((event.target as HTMLInputElement).name);
      },
    },
    /** The props of a field: its name, its initial value and its message. */
    field: (name: FieldName<Schema>) => ({ name, message: messages[name], ...beginning(initial[name]) }),
    /** Sets a field as if the text had been typed. */
    fill(name: FieldName<Schema>, text: string) {
      const control = form.current?.elements.namedItem(name) as HTMLInputElement | null | undefined;
      if (control) control.value = text;
      follow(name);
    },
    refuse,
    follow,
  };
}

function beginning(value: unknown): { defaultChecked?: boolean; defaultValue?: string } {
  if (typeof value === "boolean") return { defaultChecked: value };
  return { defaultValue: Number.isNaN(value) ? "" : String(value ?? "") };
}
