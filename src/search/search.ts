import type { Caller } from "../accounts/caller.ts";
import type { Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { searchCharactersMin } from "./limits.ts";
import { searchEverythingQuery, searchOwnQuery } from "./queries.ts";
import { type AdminFindings, type ResellerFindings, searchSentence } from "./schema.ts";

/** One box that finds anything (rules.md: Searching everything). */
export interface Search {
  /** Throws `INVALID`, or `BUSY`. */
  everything(text: string): Promise<AdminFindings>;
  /** A reseller's own keys and orders. Throws `INVALID`, or `BUSY`. */
  own(reseller: Caller, text: string): Promise<ResellerFindings>;
}

export function createSearch({ database, now }: { database: Database; now: Now }): Search {
  return {
    everything: async (text) => database.snapshot(searchEverythingQuery, { text: searched(text), at: now() }),
    own: async ({ id: resellerId }, text) =>
      database.snapshot(searchOwnQuery, { text: searched(text), resellerId, at: now() }),
  };
}

function searched(text: string): string {
  // A control character stands in nothing that is searched, and would end a pattern of SQLite's.
  const trimmed = text.replace(/\p{Cc}/gu, " ").trim();
  if (trimmed.length < searchCharactersMin) throw new Refusal("INVALID", searchSentence);
  return trimmed;
}
