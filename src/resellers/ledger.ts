import { type AuditedChanges, notedDownload } from "../accounts/audited-changes.ts";
import type { Caller } from "../accounts/caller.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { periodIn } from "../core/period.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { isInstantCursor, pageOf, pageOfRows } from "../db/paging.ts";
import type { LedgerEntry, LedgerQuery } from "./ledger-schema.ts";
import { type LedgerFilter, listLedger } from "./ledger-store.ts";
import { ledgerCsvStream, ledgerStream } from "./ledger-streams.ts";
import { ledgerView } from "./ledger-view.ts";
import { resellerById } from "./store.ts";

type Content = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What became of a reseller's credits, newest first. Throws `NOT_FOUND` for who is no reseller, and `INVALID`. */
export interface Ledger {
  list(resellerId: number, query: LedgerQuery): Promise<{ rows: LedgerEntry[]; nextCursor: string | null }>;
  /** The list without a limit, as JSON that is sent as it is read. */
  whole(caller: Caller, resellerId: number, query: LedgerQuery): Promise<Content>;
  /** The same as a CSV file, whole where the query has no limit. That it was asked for is on record before its first line. */
  download(caller: Caller, resellerId: number, query: LedgerQuery): Promise<{ filename: string; content: Content }>;
}

export function createLedger({
  database,
  changes,
  now,
}: {
  database: Database;
  changes: AuditedChanges;
  now: Now;
}): Ledger {
  return {
    async list(resellerId, query) {
      await usernameOf(resellerId);
      const page = pageOf(query, isInstantCursor);
      const rows = await listLedger(database.query, filterOf(resellerId, query), page);
      const shown = pageOfRows(rows, page.limit, (last) => [last.at, last.id]);
      return { rows: shown.rows.map(ledgerView), nextCursor: shown.nextCursor };
    },

    async whole(caller, resellerId, query) {
      await usernameOf(resellerId);
      const { after } = pageOf(query, isInstantCursor);
      return database.stream(ledgerStream, { filter: filterOf(resellerId, query), after }, caller.id);
    },

    async download(caller, resellerId, query) {
      const username = await usernameOf(resellerId);
      const { after, limit } = pageOf(query, isInstantCursor);
      const given = { filter: filterOf(resellerId, query), after, limit };
      const content = await database.stream(ledgerCsvStream, given, caller.id);
      const noted = { target: `credits of ${username}`, details: chosenIn(query) };
      return {
        filename: `latchkey-credits-${username}-${isoOf(now()).slice(0, 10)}.csv`,
        content: await notedDownload(changes, caller, noted, content),
      };
    },
  };

  async function usernameOf(resellerId: number): Promise<string> {
    const reseller = await resellerById(database.read, resellerId);
    if (!reseller) throw new Refusal("NOT_FOUND", "There is no such reseller.");
    return reseller.username;
  }
}

function filterOf(resellerId: number, { reason, from, to }: LedgerQuery): LedgerFilter {
  return { resellerId, reason: reason === "all" ? undefined : reason, ...periodIn({ from, to }) };
}

/** The filters that were set. */
function chosenIn({ reason, from, to }: LedgerQuery) {
  return { ...(reason && reason !== "all" && { reason }), ...(from && { from }), ...(to && { to }) };
}
