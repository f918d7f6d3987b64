import { type FormEvent, useEffect, useRef, useState } from "react";
import { daysDefault, priceTenthsPerKey } from "../../../src/keys/pricing.ts";
import { KeyPurchase } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { numberOrNothing, problemsIn } from "../../form.ts";

export type OrderField = "game" | "deviceLimit" | "days" | "count" | "keyString";

/** What stands in the fields. Section 5's defaults: game empty, device limit 1, tier 30 days, count 1. */
export type OrderTexts = Record<OrderField, string>;

export const orderDefaults: OrderTexts = {
  game: "",
  deviceLimit: "1",
  days: String(daysDefault),
  count: "1",
  keyString: "",
};

/**
 * The fields keep their own values, and this follows them: so what a browser filled in before the page was awake counts too. Ours,
 * because react-hook-form's 13 kB would put this page over its 130.
 */
export function useOrderForm(onOrder: (order: KeyPurchase) => void) {
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(orderDefaults);
  const [messages, setMessages] = useState<Partial<OrderTexts>>({});

  const read = () => {
    // While no game is chosen, the form has no entry for it.
    if (form.current) setTexts({ ...orderDefaults, ...Object.fromEntries(new FormData(form.current)) });
  };
  // Once, for what was there before.
  useEffect(read, []);

  function fieldNamed(name: string): HTMLInputElement | null {
    return form.current?.elements.namedItem(name) as HTMLInputElement | null;
  }

  /** Puts the messages by their fields, and the focus into the first. */
  function refuse(problems: readonly FieldProblem[]) {
    setMessages(Object.fromEntries(problems.map(({ path, message }) => [path, message])));
    fieldNamed(problems[0]?.path ?? "")?.focus();
  }

  function forgive(name: string) {
    setMessages(({ [name as OrderField]: _, ...others }) => others);
  }

  function fill(name: OrderField, text: string) {
    const field = fieldNamed(name);
    if (field) field.value = text;
    forgive(name);
    read();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const order = orderIn(texts);
    const problems = problemsIn(KeyPurchase, order, unknownTier);
    refuse(problems);
    if (problems.length === 0) onOrder(order);
  }

  /** A message goes as soon as its field is touched again. */
  function follow(event: FormEvent) {
    forgive((event.target as HTMLInputElement).name);
    read();
  }

  return {
    texts,
    messages,
    refuse,
    fill,
    formProps: { ref: form, onSubmit: submit, onInput: follow, noValidate: true },
  };
}

function orderIn({ game, deviceLimit, days, count, keyString }: OrderTexts): KeyPurchase {
  const numbers = {
    deviceLimit: numberOrNothing(deviceLimit),
    days: numberOrNothing(days),
    count: numberOrNothing(count),
  };
  return { game, keyString, ...numbers } as KeyPurchase;
}

/** The schema takes any whole number of days, because the server refuses an unknown tier by a code of its own. */
function unknownTier({ days }: KeyPurchase): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}
