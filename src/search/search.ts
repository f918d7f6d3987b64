import type { Caller } from "../accounts/caller.ts";
import type { Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import { searchCharactersMin } from "./limits.ts";
import { searchReading } from "./readings.ts";
import { type AdminFindings, type ResellerFindings, searchSentence } from "./schema.ts";

/** One box that finds anything (rules.md: Searching everything). */
export interface Search {
  /** Throws `INVALID`. */
  everything(admin: Caller, text: string): Promise<AdminFindings>;
  /** A reseller's own keys and orders. Throws `INVALID`. */
  own(reseller: Caller, text: string): Promise<ResellerFindings>;
}

export function createSearch({ database, now }: { database: Database; now: Now }): Search {
  return {
    everything: (admin, text) => find(text, null, admin.id) as Promise<AdminFindings>,
    own: (reseller, text) => find(text, reseller.id, reseller.id) as Promise<ResellerFindings>,
  };

  async function find(text: string, resellerId: number | null, accountId: number): Promise<unknown> {
    // A control character stands in nothing that is searched, and would end a pattern of SQLite's.
    const given = { text: text.replace(/\p{Cc}/gu, " ").trim(), resellerId, at: now() };
    if (given.text.length < searchCharactersMin) throw new Refusal("INVALID", searchSentence);
    const pieces = await database.stream(searchReading, given, accountId);
    return new Response(pieces).json();
  }
}
