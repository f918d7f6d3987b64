import { isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { Token } from "./schema.ts";
import type { TokenRow } from "./store.ts";

export function tokenView(row: TokenRow): Token {
  return {
    id: row.id,
    token: row.token,
    createdAt: isoOf(row.createdAt),
    usedBy: row.usedBy,
    credits: creditsOf(row.creditsTenths),
    isUsed: row.usedBy !== null,
  };
}
