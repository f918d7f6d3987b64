import { byteOrderMark, csvLine } from "../core/csv.ts";
import { part } from "./contract.ts";
import type { Page } from "./paging.ts";

/** Lines in a piece of the file. */
const rowsPerPiece = 500;

interface CsvFile<Row, After extends unknown[]> {
  columns: readonly string[];
  /** Where the list starts; `null` for its beginning. */
  after: After | null;
  /** Lines wanted; `null` for all. */
  limit: number | null;
  rowsOf: (page: Page<After>) => Promise<Row[]>;
  /** The sort values of a row, after which the next page starts. */
  afterOf: (row: Row) => After;
  cellsOf: (row: Row) => readonly (string | number)[];
}

/** A list as a CSV file, in pieces: it is read page by page. */
export async function* csvFile<Row, After extends unknown[]>({
  columns,
  after,
  limit,
  rowsOf,
  afterOf,
  cellsOf,
}: CsvFile<Row, After>): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  let left = limit ?? Number.POSITIVE_INFINITY;
  let place = after;
  while (left > 0) {
    const count = Math.min(left, rowsPerPiece);
    const rows = await rowsOf({ after: place, limit: count, limitPart: part`LIMIT ${count}` });
    const last = rows.at(-1);
    if (!last) break;
    yield rows.map((row) => csvLine(cellsOf(row))).join("");
    left -= rows.length;
    place = afterOf(last);
  }
}
