import type { Static, TObject } from "@sinclair/typebox";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { arrivedPart, bring } from "../runtime/lazy.ts";
import { useOnce } from "../runtime/once.ts";
import { fetchAhead } from "../runtime/preload.ts";
import type { Rule } from "./check.ts";
import { type Messages, messagesOfRefusal, readValues, type Values } from "./values.ts";

/** Its 8 kB come with the first press or letter in a form. */
const loadCheck = () => import("./check.ts");

type FieldName<Schema extends TObject> = keyof Static<Schema> & string;

interface FormOptions<Schema extends TObject> {
  schema: Schema;
  rule?: Rule<Schema>;
  /** What the fields begin with. */
  initial?: Values<Schema>;
  /** Carries out what was filled in, once nothing is wrong with it. A double press starts it once. */
  send: (values: Static<Schema>) => Promise<unknown>;
  /** The field that a refusal is about, by the refusal's code, or by what the call names the field where that is another name. */
  fieldOf?: Partial<Record<string, FieldName<Schema>>>;
  /** Told once the messages stand by their fields, with what was sent. */
  onFailure?: (error: unknown, sent: Static<Schema>) => void;
  /** Told what stood in the fields when the form leaves the page: a draft, if it is wanted again. */
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
 * The fields keep their own values, and are read from the page when they change and again when they are submitted: what a password
 * manager or the browser filled in counts, even if it came before hydration.
 */
export function useForm<Schema extends TObject>(options: FormOptions<Schema>) {
  const { schema, rule, send, fieldOf = {}, onFailure, onLeave } = options;
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState<Values<Schema>>(options.initial ?? {});
  const [values, setValues] = useState(initial);
  const [messages, setMessages] = useState<Messages>({});
  const [busy, setBusy] = useState(false);
  const { start, isHeld } = useOnce(send);

  // What was filled in before hydration is shown at once.
  const arrive = useEffectEvent(() => void read());
  // The fields are no longer on the page by then: it is told what was read last.
  const leave = useEffectEvent(() => onLeave?.(values));
  useEffect(() => {
    arrive();
    return () => leave();
  }, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const check = arrivedPart(loadCheck) ?? (await bringCheck());
    // Meanwhile a second press may have sent the form, or its owner closed it.
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

  /** Null where the network is lost: then the server says what is wrong. */
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

  /** Puts the messages by their fields, and the focus into the first on the page that has one. */
  function refuse(wrong: Messages) {
    // Rendered at once: the focus goes by what is marked then, and a blocking alert may follow.
    flushSync(() => setMessages(wrong));
    if (Object.keys(wrong).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  /** A message goes as soon as its field is put right, and until then says what is wrong with it now. */
  function follow(name: string) {
    const now = read();
    const messageNow = () => arrivedPart(loadCheck)?.(schema, now, rule)[name];
    setMessages((shown) => (shown[name] ? { ...shown, [name]: messageNow() } : shown));
  }

  return {
    /** What stands in the fields now. */
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
    /** What the control of a field needs: its name, what it begins with, and what is wrong with it. */
    field: (name: FieldName<Schema>) => ({ name, message: messages[name], ...beginning(initial[name]) }),
    /** Writes into a field as if it had been typed. */
    fill(name: FieldName<Schema>, text: string) {
      const control = form.current?.elements.namedItem(name) as HTMLInputElement | null | undefined;
      if (control) control.value = text;
      follow(name);
    },
    refuse,
  };
}

function beginning(value: unknown): { defaultChecked?: boolean; defaultValue?: string } {
  return typeof value === "boolean" ? { defaultChecked: value } : { defaultValue: String(value ?? "") };
}
