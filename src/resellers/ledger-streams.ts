import type { StreamQuery } from "../db/contract.ts";
import { csvFile, wholeList } from "../db/paging.ts";
import { type LedgerFilter, type LedgerRow, listLedger } from "./ledger-store.ts";
import { ledgerView } from "./ledger-view.ts";

/** The ledger of a reseller, from `after` on. */
interface WholeLedger {
  filter: LedgerFilter;
  after: [number, number] | null;
}

const afterOf = (last: LedgerRow): [number, number] => [last.at, last.id];

export const ledgerStream: StreamQuery<WholeLedger> = {
  name: "ledger",
  pieces: (sql, { filter, after }) =>
    wholeList({ after, rowsOf: (page) => listLedger(sql, filter, page), afterOf, view: ledgerView }),
};

const columns = ["id", "at", "reason", "amount", "balance", "order", "by", "note"];

/** `limit` is `null` where all rows are wanted. */
export const ledgerCsvStream: StreamQuery<WholeLedger & { limit: number | null }> = {
  name: "ledger as CSV",
  pieces: (sql, { filter, after, limit }) =>
    csvFile({ columns, after, limit, rowsOf: (page) => listLedger(sql, filter, page), afterOf, cellsOf }),
};

function cellsOf(row: LedgerRow): (string | number)[] {
  const { id, at, reason, amount, balance, orderId, by, note } = ledgerView(row);
  return [id, at, reason, amount, balance, orderId ?? "", by, note ?? ""];
}
