import type { LedgerEntry } from "../../../src/resellers/ledger-schema.ts";
import type { QueryOf } from "../contract.ts";
import { type Download, download } from "../download.ts";
import { type List, listOf } from "../list.ts";

const own = "GET /api/reseller/ledger";
const ofReseller = "GET /api/admin/resellers/:id/ledger";
type Filters = QueryOf<typeof own>;

/** The changes of a reseller's credits: page by page, or all of them as a CSV file. */
export interface Ledger {
  list: List<LedgerEntry, Filters>;
  download: (filters: Filters, fallbackName: string) => Promise<Download>;
}

export const ownLedger: Ledger = {
  list: listOf(own),
  download: (filters, fallbackName) => download(own, { query: { ...filters, format: "csv" }, fallbackName }),
};

/** A reseller's, as admins see it. */
export function ledgerOf(id: string): Ledger {
  const params = { id };
  return {
    list: listOf(ofReseller, { params }),
    download: (filters, fallbackName) =>
      download(ofReseller, { params, query: { ...filters, format: "csv" }, fallbackName }),
  };
}
