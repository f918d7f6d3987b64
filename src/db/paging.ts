import type { Requester } from "../core/fair-semaphore.ts";
import { invalid } from "../core/refusal.ts";
import { byteOrderMark, csvLine, exactCsvLine } from "../core/text.ts";
import { type Database, nothing, part, type Sql, type SqlPart, type StreamQuery } from "./contract.ts";

/** `after` holds the sort values of the last row before the page. */
export interface Page<After extends unknown[]> {
  after: After | null;
  /** The number of rows; null for the whole list. */
  limit: number | null;
  /** `LIMIT` with one further row, which shows whether there is a next page. */
  limitPart: SqlPart;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/**
 * Reads `limit` and `cursor`. A cursor is the last row's sort values, so a page neither skips nor repeats rows when
 * others are added meanwhile. Throws `INVALID` unless `isAfter` accepts the cursor's values.
 */
export function pageOf<After extends unknown[]>(
  query: PageQuery,
  isAfter: (values: unknown[]) => values is After,
): Page<After> {
  const limit = query.limit ?? null;
  const limitPart = limit === null ? nothing : part`LIMIT ${limit + 1}`;
  return { after: query.cursor ? valuesIn(query.cursor, isAfter) : null, limit, limitPart };
}

/** Removes the extra row, and returns the rows with the next page's cursor. */
export function pageOfRows<Row>(rows: Row[], limit: number | null, afterOf: (last: Row) => unknown[]) {
  if (limit === null || rows.length <= limit) return { rows, nextCursor: null };
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: cursorOf(afterOf(shown[limit - 1] as Row)) };
}

/** The sort column, and the id of the same table for equal values: one index covers both. */
export interface SortColumn {
  column: SqlPart;
  id: SqlPart;
  holds: "text" | "numbers";
}

/**
 * Continues a `WHERE` with the start of the page, and orders by the column. The bound on the column alone is redundant,
 * but an index over an expression can use no other.
 */
export function sortedPart(
  { column, id }: SortColumn,
  descending: boolean,
  { after, limitPart }: Page<[string | number, number]>,
): SqlPart {
  const [atOrBeyond, beyond] = descending ? [part`<=`, part`<`] : [part`>=`, part`>`];
  const from = after
    ? part`AND ${column} ${atOrBeyond} ${after[0]} AND (${column}, ${id}) ${beyond} (${after[0]}, ${after[1]})`
    : nothing;
  const direction = descending ? part`DESC` : nothing;
  return part`${from} ORDER BY ${column} ${direction}, ${id} ${direction} ${limitPart}`;
}

export function isIdCursor(values: unknown[]): values is [number] {
  return values.length === 1 && Number.isSafeInteger(values[0]);
}

/** The cursor of a list that is sorted by a time, then by id. */
export function isInstantCursor(values: unknown[]): values is [number, number] {
  return values.length === 2 && values.every(Number.isSafeInteger);
}

/**
 * The cursor of a list that is sorted by the column, then by id. PostgreSQL could not compare the cursor of another
 * column.
 */
export function isCursorOf({ holds }: SortColumn) {
  return (values: unknown[]): values is [string | number, number] => {
    const [sortValue, id] = values;
    const sortable = holds === "text" ? typeof sortValue === "string" : Number.isSafeInteger(sortValue);
    return values.length === 2 && sortable && Number.isSafeInteger(id);
  };
}

function cursorOf(values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

function valuesIn<After extends unknown[]>(cursor: string, isAfter: (values: unknown[]) => values is After): After {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(values) && isAfter(values)) return values;
  } catch {
    // An invalid cursor is refused below, like one of another list.
  }
  throw invalid("cursor", "cursor does not belong to this list");
}

/** Rows in a piece of a streamed list: about 100 kB of JSON. */
const rowsPerPiece = 500;

interface StreamedList<Row, After extends unknown[]> {
  /** Where the list starts; null for its beginning. */
  after: After | null;
  rowsOf: (page: Page<After>) => Promise<Row[]>;
  /** The sort values of a row, after which the next page starts. */
  afterOf: (row: Row) => After;
}

/** Reads a list page by page, up to `limit` rows. */
async function* piecesOf<Row, After extends unknown[]>(
  { after, rowsOf, afterOf }: StreamedList<Row, After>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row[]> {
  let place = after;
  for (let left = limit; left > 0; left -= rowsPerPiece) {
    const count = Math.min(left, rowsPerPiece);
    const rows = await rowsOf({ after: place, limit: count, limitPart: part`LIMIT ${count}` });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < count) return;
    place = afterOf(last);
  }
}

/** The JSON of an array, as `JSON.stringify` writes it, in pieces. */
export async function* wholeList<Row, After extends unknown[]>({
  view,
  ...list
}: StreamedList<Row, After> & { view: (row: Row) => unknown }): AsyncGenerator<string> {
  let start = "[";
  for await (const rows of piecesOf(list)) {
    yield start + rows.map((row) => JSON.stringify(view(row))).join();
    start = ",";
  }
  yield start === "[" ? "[]" : "]";
}

interface ListOf<Filter, Row, After extends unknown[], View> {
  name: string;
  isAfter: (filter: Filter) => (values: unknown[]) => values is After;
  rowsOf: (sql: Sql, filter: Filter, page: Page<After>) => Promise<Row[]>;
  afterOf: (last: Row, filter: Filter) => After;
  view: (row: Row) => View;
}

/** A list: page by page, or without a limit whole, as JSON that the worker thread sends while it reads it. */
export function listOf<Filter, Row, After extends unknown[], View>(list: ListOf<Filter, Row, After, View>) {
  const { name, isAfter, rowsOf, afterOf, view } = list;
  const stream: StreamQuery<{ filter: Filter; after: After | null }> = {
    name,
    pieces: (sql, { filter, after }) =>
      wholeList({
        after,
        rowsOf: (page) => rowsOf(sql, filter, page),
        afterOf: (last) => afterOf(last, filter),
        view,
      }),
  };
  return {
    stream,
    /** The list as a caller asks for it. Throws `INVALID` for a cursor of another list. */
    read(database: Pick<Database, "query" | "stream">, by: Requester, filter: Filter, query: PageQuery) {
      const page = pageOf(query, isAfter(filter));
      return {
        whole: () => database.stream(stream, { filter, after: page.after }, by),
        async page() {
          const rows = await rowsOf(database.query(by), filter, page);
          const shown = pageOfRows(rows, page.limit, (last) => afterOf(last, filter));
          return { rows: shown.rows.map(view), nextCursor: shown.nextCursor };
        },
      };
    },
  };
}

/** A list as a CSV file, in pieces. `limit` is null for all rows. An exact one is for programs. */
export async function* csvFile<Row, After extends unknown[]>({
  columns,
  limit,
  cellsOf,
  isExact = false,
  ...list
}: StreamedList<Row, After> & {
  columns: readonly string[];
  limit: number | null;
  isExact?: boolean;
  cellsOf: (row: Row) => readonly (string | number)[];
}): AsyncGenerator<string> {
  const lineOf = isExact ? exactCsvLine : csvLine;
  yield (isExact ? "" : byteOrderMark) + lineOf(columns);
  for await (const rows of piecesOf(list, limit ?? undefined)) yield rows.map((row) => lineOf(cellsOf(row))).join("");
}
