import { isoOf } from "../clock.ts";
import { byteOrderMark, csvLine } from "../csv.ts";
import type { Reading } from "../database/database.ts";
import { type AuditFilter, type AuditRow, listRows } from "./store.ts";

/** Lines in a piece of the file. */
const rowsPerPiece = 500;

const columns = ["id", "at", "action", "actor", "target", "address", "details"];

/** The record as a CSV file, newest first. `limit` is `null` where all rows are wanted. */
export const csvReading: Reading<{ filter: AuditFilter; after: [number, number] | null; limit: number | null }> = {
  name: "record as CSV",
  async *pieces(sql, { filter, after, limit }) {
    yield byteOrderMark + csvLine(columns);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let place = after;
    while (left > 0) {
      const rows = await listRows(sql, filter, { after: place, rowsMax: Math.min(left, rowsPerPiece) });
      const last = rows.at(-1);
      if (!last) break;
      yield rows.map(csvLineOf).join("");
      left -= rows.length;
      place = [last.at, last.id];
    }
  },
};

function csvLineOf({ id, at, action, actorUsername, target, address, details }: AuditRow): string {
  return csvLine([id, isoOf(at), action, actorUsername ?? "", target, address ?? "", details]);
}
