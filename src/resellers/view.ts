import { isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { Reseller } from "./schema.ts";
import type { ResellerRow } from "./store.ts";

export function resellerView(row: ResellerRow): Reseller {
  return {
    id: row.id,
    username: row.username,
    registrationDate: isoOf(row.createdAt),
    credits: creditsOf(row.creditsTenths),
    totalKeys: row.totalKeys,
    isActive: row.isActive === 1,
    suspensionReason: row.suspensionReason,
  };
}
