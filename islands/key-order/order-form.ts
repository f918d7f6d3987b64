import { type FormEvent, useEffect, useRef, useState } from "react";
import { nonBlank } from "../../src/field.ts";
import type { FieldProblem } from "../../src/refusal.ts";
import { numberOrNothing } from "../form.ts";

type OrderField = "game" | "deviceLimit" | "days" | "count" | "keyString";

/** What stands in the fields. */
export type OrderTexts = Record<OrderField, string>;

/** Section 5: the game is chosen by whoever orders, for one device, and one key. */
export function orderDefaults(days: number): OrderTexts {
  return { game: "", deviceLimit: "1", days: String(days), count: "1", keyString: "" };
}

interface OrderFormGiven<Order> {
  texts: OrderTexts;
  onTexts: (texts: OrderTexts) => void;
  /** Told what was filled in, which is an order once this finds nothing wrong. */
  problemsIn: (order: Order) => FieldProblem[];
  onOrder: (order: Order) => void;
}

/**
 * The form that keys are ordered with. Its fields keep their own values, and `texts` follows them: so what a browser filled in before
 * the page was awake counts too. Ours, because react-hook-form's 13 kB would put its pages over their 130.
 */
export function useOrderForm<Order>(given: OrderFormGiven<Order>) {
  const { texts, onTexts, problemsIn, onOrder } = given;
  const form = useRef<HTMLFormElement>(null);
  const [initialTexts] = useState(texts);
  const [messages, setMessages] = useState<Partial<OrderTexts>>({});

  /** While nothing is chosen in a select, the form has no entry for it. */
  const read = () => {
    if (!form.current) return texts;
    const empty = Object.fromEntries(Object.keys(texts).map((name) => [name, ""]));
    const now = { ...empty, ...Object.fromEntries(new FormData(form.current)) } as OrderTexts;
    onTexts(now);
    return now;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was there before.
  useEffect(() => void read(), []);

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
    const order = orderIn(read()) as Order;
    const problems = problemsIn(order);
    refuse(problems);
    if (problems.length === 0) onOrder(order);
  }

  /** A message goes as soon as its field is touched again. */
  function follow(event: FormEvent) {
    forgive((event.target as HTMLInputElement).name);
    read();
  }

  return {
    /** What the fields start with: their `defaultValue`. */
    initialTexts,
    messages,
    refuse,
    fill,
    formProps: { ref: form, onSubmit: submit, onInput: follow, noValidate: true },
  };
}

export type OrderForm = ReturnType<typeof useOrderForm>;

function orderIn({ game, deviceLimit, days, count, keyString }: OrderTexts) {
  return {
    game,
    deviceLimit: numberOrNothing(deviceLimit),
    days: numberOrNothing(days),
    count: numberOrNothing(count),
    keyString: nonBlank(keyString),
  };
}
