import { isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { AdminOrder, Order } from "./schema.ts";
import type { OrderRow } from "./store.ts";

export function orderView({ id, at, game, deviceLimit, days, count, costTenths, note }: OrderRow): Order {
  return { id, at: isoOf(at), game, deviceLimit, days, count, cost: creditsOf(costTenths), note };
}

export function adminOrderView(row: OrderRow): AdminOrder {
  return { ...orderView(row), by: row.by };
}
