import type { Static, TObject } from "@sinclair/typebox";
import { type FormEvent, useRef, useState } from "react";
import type { FieldProblem } from "../../../src/refusal.ts";
import { problemsIn } from "../../form.ts";
import { useOnce } from "../../runtime/once.ts";
import { ApiFailure } from "../../server/api.ts";

/**
 * The state of the two forms before the login. They hold texts only and are read when they are submitted, so that what a password
 * manager fills in counts even if it came before the page was awake. Ours, because react-hook-form would cost the sign-in page
 * 13 kB of its 95.
 */
export function useEntranceForm<Schema extends TObject>(given: {
  schema: Schema;
  send: (values: Static<Schema>) => Promise<void>;
  /** Which field a refusal is about that the server gives a code of its own. */
  fieldOfCode?: Record<string, string>;
  onFailure: (error: unknown) => Promise<void>;
}) {
  const [messages, setMessages] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { start, isHeld } = useOnce(given.send);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || isHeld()) return;
    const values = Object.fromEntries([...new FormData(event.currentTarget)].map(trimmed)) as Static<Schema>;
    const problems = problemsIn(given.schema, values);
    show(problems);
    if (problems.length > 0) return;
    setBusy(true);
    try {
      await start(values);
    } catch (error) {
      // The server may know more of a field than the browser does: a username that is taken, a token that is used.
      if (error instanceof ApiFailure) show(problemsOf(error));
      setBusy(false);
      await given.onFailure(error);
    }
  }

  function problemsOf({ code, message, errors }: ApiFailure): FieldProblem[] {
    const path = given.fieldOfCode?.[code ?? ""];
    return path === undefined ? errors : [{ path, message }];
  }

  function show(problems: FieldProblem[]) {
    setMessages(Object.fromEntries(problems.map(({ path, message }) => [path, message])));
    const [first] = problems;
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first.path)}"]`)?.focus();
  }

  /** A message goes as soon as its field is touched again. */
  function forgive(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement;
    if (messages[name]) setMessages(({ [name]: _, ...others }) => others);
  }

  return { busy, messages, formProps: { ref: form, onSubmit: submit, onInput: forgive, noValidate: true } };
}

/** Phones put a space after a name that they complete, and neither names nor tokens hold any. A password may. */
function trimmed([name, value]: [string, FormDataEntryValue]): [string, FormDataEntryValue] {
  return [name, name === "password" || typeof value !== "string" ? value : value.trim()];
}
