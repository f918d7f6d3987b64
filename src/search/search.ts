import type { Caller } from "../accounts/caller.ts";
import type { Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { searchCharactersMin } from "./limits.ts";
import { searchedTextsReading, searchReading } from "./readings.ts";
import { type AdminFindings, type ResellerFindings, searchSentence } from "./schema.ts";
import { createTurns } from "./turns.ts";

/** One box that finds anything (rules.md: Searching everything). `gone` tells that nobody waits for the answer any more. */
export interface Search {
  /** Throws `INVALID`, or `BUSY`. */
  everything(admin: Caller, text: string, gone: AbortSignal): Promise<AdminFindings>;
  /** A reseller's own keys and orders. Throws `INVALID`, or `BUSY`. */
  own(reseller: Caller, text: string, gone: AbortSignal): Promise<ResellerFindings>;
  /** Reads the texts that are searched, for whoever may search soon: the first search after a start would wait for that. */
  prepare(): void;
}

/** Readings are counted by account. This one is the server's own. */
const nobody = 0;

/** For whoever has gone: nobody reads it. */
const nothingFound = { keys: [], resellers: [], tokens: [], orders: [] };

export function createSearch({ database, now }: { database: Database; now: Now }): Search {
  const turns = createTurns();
  let isPrepared = false;

  return {
    everything: (admin, text, gone) => find(text, null, { accountId: admin.id, gone }) as Promise<AdminFindings>,
    own: (reseller, text, gone) =>
      find(text, reseller.id, { accountId: reseller.id, gone }) as Promise<ResellerFindings>,

    prepare() {
      if (isPrepared) return;
      isPrepared = true;
      // Whatever is wrong, the search itself will say.
      readTexts().catch(() => {
        isPrepared = false;
      });
    },
  };

  async function find(
    text: string,
    resellerId: number | null,
    { accountId, gone }: { accountId: number; gone: AbortSignal },
  ): Promise<unknown> {
    // A control character stands in nothing that is searched, and would end a pattern of SQLite's.
    const given = { text: text.replace(/\p{Cc}/gu, " ").trim(), resellerId, at: now() };
    if (given.text.length < searchCharactersMin) throw new Refusal("INVALID", searchSentence);
    const found = await turns.take({ accountId, gone }, async () => {
      const pieces = await database.stream(searchReading, given, accountId);
      return new Response(pieces).json();
    });
    return found ?? nothingFound;
  }

  async function readTexts(): Promise<void> {
    for await (const piece of await database.stream(searchedTextsReading, null, nobody)) void piece;
  }
}
