import type { Database as Connection } from "bun:sqlite";
import { msPerDay } from "../../core/clock.ts";
import { balanceTenthsMax } from "../../core/credits.ts";

/**
 * What a column of whole numbers may hold, by the kind that its name says. The tables' own constraints bound what a call can write; these
 * bound what a file can bring: a time that no calendar knows would fail every list that shows it.
 */
export const columnKinds = {
  time: { named: /(^|_)at$/, least: 0, most: Date.UTC(9999, 11, 31, 23, 59, 59, 999) },
  /** A ledger's amounts are negative, too. */
  credits: { named: /_tenths$/, least: -balanceTenthsMax, most: balanceTenthsMax },
  /** Half of what JavaScript counts exactly, so that the ids to come are exact as well. */
  id: { named: /^id$|_(id|by)$/, least: 1, most: 2 ** 52 },
  count: { named: /_(count|limit|step)$|^(count|days|version)$/, least: 0, most: 2 ** 40 },
  /** A day's number since 1970. */
  day: { named: /_day$/, least: 0, most: Math.floor(Date.UTC(9999, 11, 31) / msPerDay) },
  /** Totals of all owners are spread over so many rows. */
  shard: { named: /^shard$/, least: 0, most: 63 },
  /** The number of a verdict, as the migration that brings them has it. */
  code: { named: /_code$/, least: 0, most: 4 },
  /** A reseller's id, or 0 for the admins. */
  owner: { named: /^owner$/, least: 0, most: 2 ** 52 },
  flag: { named: /^is_/, least: 0, most: 1 },
} as const;

/** A column of no such name: what JavaScript counts exactly. */
const anyWholeNumber = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

/** Which number of a database is beyond its bounds, as the end of a sentence, or `null`. `schema` holds its tables as we make them. */
export function numberOutOfBounds(connection: Connection, schema: Connection): string | null {
  for (const [table, columns] of columnsByTable(schema)) {
    const isBeyond = (column: string) => {
      const { least, most } = kindOf(column) ?? anyWholeNumber;
      return `"${column}" NOT BETWEEN ${least} AND ${most}`;
    };
    const cases = columns.map((column) => `WHEN ${isBeyond(column)} THEN '${column}'`);
    const found = connection
      .query<{ name: string }, []>(
        `SELECT name FROM (SELECT CASE ${cases.join(" ")} END AS name FROM "${table}") WHERE name IS NOT NULL LIMIT 1`,
      )
      .get();
    if (found) return `a number in ${table}.${found.name} is out of bounds`;
  }
  const counters = `SELECT 1 FROM sqlite_sequence WHERE typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ${columnKinds.id.most}`;
  return connection.query(counters).get() ? "a counter of ids is out of bounds" : null;
}

export function kindOf(column: string): { least: number; most: number } | undefined {
  return Object.values(columnKinds).find(({ named }) => named.test(column));
}

/** The columns of whole numbers of each table, from a schema that is ours. */
export function columnsByTable(schema: Connection): Map<string, string[]> {
  const rows = schema
    .query<{ table: string; column: string }, []>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = 'INTEGER'`,
    )
    .all();
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
}
