import type { AdminKeyForm } from "../../../../src/orders/admin-key-form.ts";
import type { KeyPurchase } from "../../../../src/orders/schema.ts";
import type { Form } from "../../../forms/use-form.ts";

/** An admin's or a reseller's: they differ in their days and limits. */
export type KeyOrderForm = Form<typeof AdminKeyForm> | Form<typeof KeyPurchase>;

/** One key for one device. The game has no default. */
export const orderDefaults = { deviceLimit: 1, count: 1 } as const;

/** After the keys were made: a text of one's own is taken now, and a kept count would offer the whole batch again. The rest is likely to be wanted. */
export function forgetBatch(form: KeyOrderForm): void {
  form.fill("keyString", "");
  form.fill("count", String(orderDefaults.count));
}
