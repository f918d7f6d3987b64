import type { AdminKey, ResellerKey } from "../../../src/keys/schema.ts";
import type { Order } from "../../../src/orders/schema.ts";

/** As its reseller opens it, or an admin. */
export type OpenedOrder = Order & { keys: readonly (AdminKey | ResellerKey)[] };
