import type { AdminKeyForm } from "../../src/keys/admin-key-form.ts";
import type { KeyPurchase } from "../../src/keys/schema.ts";
import type { Form } from "../form/use-form.ts";

/** An admin's or a reseller's: they differ in their days and limits. */
export type KeyOrderForm = Form<typeof AdminKeyForm> | Form<typeof KeyPurchase>;

/** The game is chosen by whoever orders, for one device, and one key (rules.md: Key forms). */
export const orderDefaults = { deviceLimit: 1, count: 1 } as const;
