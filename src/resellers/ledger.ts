import { type AuditedChanges, type Caller, notedDownload } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { periodIn } from "../core/period.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, StreamQuery } from "../db/contract.ts";
import { csvFile, isInstantCursor, listOf, pageOf } from "../db/paging.ts";
import type { LedgerEntry, LedgerQuery } from "./ledger-schema.ts";
import { type LedgerFilter, type LedgerRow, listLedger } from "./ledger-store.ts";
import { resellerById } from "./store.ts";

type Content = ReadableStream<Uint8Array<ArrayBuffer>>;

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The changes of a reseller's balance, newest first. Throws `NOT_FOUND` for an id that is no reseller's, and `INVALID`.
 */
export function createLedger({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  return {
    async list(caller: Caller, resellerId: number, query: LedgerQuery) {
      await usernameOf(resellerId);
      return ledgerList.read(database, caller, filterOf(resellerId, query), query);
    },

    /**
     * The same as a CSV file, whole without a limit. The download is in the audit log before its first line is sent.
     */
    async download(
      caller: Caller,
      resellerId: number,
      query: LedgerQuery,
    ): Promise<{ filename: string; content: Content }> {
      const username = await usernameOf(resellerId);
      const { after, limit } = pageOf(query, isInstantCursor);
      const given = { filter: filterOf(resellerId, query), after, limit };
      const content = await database.stream(ledgerCsvStream, given, caller);
      const record = { action: "data_downloaded", target: `credits of ${username}`, details: chosenIn(query) } as const;
      return {
        filename: `latchkey-credits-${username}-${isoOf(now()).slice(0, 10)}.csv`,
        content: await notedDownload(changes, caller, record, content),
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

/** The filters that are set. */
function chosenIn({ reason, from, to }: LedgerQuery) {
  return { ...(reason && reason !== "all" && { reason }), ...(from && { from }), ...(to && { to }) };
}

export function ledgerView({ at, amountTenths, balanceTenths, leftTenths, ...row }: LedgerRow): LedgerEntry {
  const [amount, balance] = [creditsOf(amountTenths), creditsOf(balanceTenths)];
  return { ...row, at: isoOf(at), amount, balance, left: leftTenths === null ? null : creditsOf(leftTenths) };
}

const afterOf = (last: LedgerRow): [number, number] => [last.at, last.id];

const ledgerList = listOf({
  name: "ledger",
  isAfter: () => isInstantCursor,
  rowsOf: listLedger,
  afterOf,
  view: ledgerView,
});
export const ledgerStream = ledgerList.stream;

const columns = ["id", "at", "reason", "amount", "balance", "order", "by", "note", "grant", "key", "external_id"];

/** A null `limit` means all rows. */
export const ledgerCsvStream: StreamQuery<{
  filter: LedgerFilter;
  after: [number, number] | null;
  limit: number | null;
}> = {
  name: "ledger as CSV",
  pieces: (sql, { filter, after, limit }) =>
    csvFile({ columns, after, limit, rowsOf: (page) => listLedger(sql, filter, page), afterOf, cellsOf }),
};

function cellsOf(row: LedgerRow): (string | number)[] {
  const { id, at, reason, amount, balance, orderId, by, note, grantId, keyId, externalId } = ledgerView(row);
  return [id, at, reason, amount, balance, orderId ?? "", by, note ?? "", grantId ?? "", keyId ?? "", externalId ?? ""];
}
