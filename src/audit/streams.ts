import { isoOf } from "../core/clock.ts";
import type { StreamQuery } from "../db/contract.ts";
import { csvFile } from "../db/paging.ts";
import { type AuditFilter, type AuditRow, listRows } from "./store.ts";

const columns = ["id", "at", "action", "actor", "target", "address", "details"];

/** The record as a CSV file, newest first. `limit` is `null` where all rows are wanted. */
export const csvStream: StreamQuery<{ filter: AuditFilter; after: [number, number] | null; limit: number | null }> = {
  name: "record as CSV",
  pieces: (sql, { filter, after, limit }) =>
    csvFile({
      ...{ columns, after, limit, cellsOf },
      rowsOf: (page) => listRows(sql, filter, page),
      afterOf: (last) => [last.at, last.id] as [number, number],
    }),
};

function cellsOf({ id, at, action, actorUsername, target, address, details }: AuditRow): (string | number)[] {
  return [id, isoOf(at), action, actorUsername ?? "", target, address ?? "", details];
}
