import { part } from "./contract.ts";
import type { Page } from "./paging.ts";

/** Rows in a piece of a whole list: about 100 kB of JSON. */
const rowsPerPiece = 500;

interface WholeList<Row, After extends unknown[]> {
  /** Where the list starts; `null` for its beginning. */
  after: After | null;
  rowsOf: (page: Page<After>) => Promise<Row[]>;
  /** The sort values of a row, after which the next page starts. */
  afterOf: (row: Row) => After;
  view: (row: Row) => unknown;
}

/** The JSON of an array, as `JSON.stringify` makes it, in pieces: the list is read page by page. */
export async function* wholeList<Row, After extends unknown[]>({
  after,
  rowsOf,
  afterOf,
  view,
}: WholeList<Row, After>): AsyncGenerator<string> {
  const limitPart = part`LIMIT ${rowsPerPiece}`;
  let place = after;
  let text = "[";
  let separator = "";
  for (;;) {
    const rows = await rowsOf({ after: place, limit: rowsPerPiece, limitPart });
    const last = rows.at(-1);
    if (last) text += separator + rows.map((row) => JSON.stringify(view(row))).join();
    if (!last || rows.length < rowsPerPiece) break;
    yield text;
    place = afterOf(last);
    text = "";
    separator = ",";
  }
  yield `${text}]`;
}
