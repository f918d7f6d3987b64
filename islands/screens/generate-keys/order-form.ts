import { daysDefault, priceTenthsPerKey } from "../../../src/keys/pricing.ts";
import { KeyPurchase, keysPerBatchMax } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { numberOrNothing, problemsIn } from "../../form.ts";
import type { OrderTexts } from "../../key-order/order-form.ts";

/** Section 5: game empty, device limit 1, tier 30 days, count 1. */
export const orderDefaults: OrderTexts = {
  game: "",
  deviceLimit: "1",
  days: String(daysDefault),
  count: "1",
  keyString: "",
};

export function orderIn({ game, deviceLimit, days, count, keyString }: OrderTexts): KeyPurchase {
  const numbers = {
    deviceLimit: numberOrNothing(deviceLimit),
    days: numberOrNothing(days),
    count: numberOrNothing(count),
  };
  return { game, keyString, ...numbers } as KeyPurchase;
}

export function problemsInOrder(order: KeyPurchase): FieldProblem[] {
  return problemsIn(KeyPurchase, order, unknownTier);
}

/**
 * Said while one types: so many keys mostly cost more than there is, and then the button that would say it cannot be pressed.
 */
export function tooManyKeys(texts: OrderTexts): string | undefined {
  if (Number(texts.count) <= keysPerBatchMax) return undefined;
  return problemsInOrder(orderIn(texts)).find(({ path }) => path === "count")?.message;
}

/** The schema takes any whole number of days, because the server refuses an unknown tier by a code of its own. */
function unknownTier({ days }: KeyPurchase): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}
