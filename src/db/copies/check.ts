import { Database as Connection, SQLiteError } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { msPerDay } from "../../core/clock.ts";
import { balanceTenthsMax } from "../../core/credits.ts";
import { OperatorError } from "../../core/operator-error.ts";
import { printable } from "../../core/text.ts";
import { applicationId, type Migration } from "../migrate/applied-migrations.ts";
import { releasedSchemaOf } from "../migrate/released-schema.ts";
import { contentRules } from "./content-rules.ts";
import { textOutOfRules } from "./text-rules.ts";

const integrityCharactersMax = 200;

export const foreignSentence = "The file is not a Latchkey database.";

/**
 * Checks that a file is a whole database of ours in a known version: its schema is exactly ours, every constraint
 * holds, and every balance is the sum of its ledger. This one function checks a backup before it gets its name and
 * again before it is restored, so every backup can be restored. Changes nothing. Throws `OperatorError`.
 *
 * A file from someone else must have no journal next to it. It must be writable: SQLite ignores CHECK constraints in a
 * file that it cannot write.
 */
export function checkDatabase(file: string, migrations: Migration[]): void {
  accessSync(file, constants.W_OK);
  const connection = openUntrusted(file);
  try {
    connection.run("PRAGMA query_only = ON");
    if (numberOf(connection, "PRAGMA application_id") !== applicationId) {
      throw new OperatorError(foreignSentence);
    }
    const schema = releasedSchemaOf(connection, migrations);
    const problem = problemInContent(connection, schema);
    schema.close();
    if (problem) throw new OperatorError(`The database is damaged: ${problem}.`);
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    connection.close();
  }
}

/** Opens a file that an attacker may have made: its schema may not run code, and its pages are checked. */
export function openUntrusted(file: string): Connection {
  const connection = new Connection(file, { readwrite: true, create: false });
  connection.run("PRAGMA trusted_schema = OFF");
  connection.run("PRAGMA cell_size_check = ON");
  return connection;
}

/** Explains SQLite's error about a foreign or damaged file to the operator. Errors of the disk stay as they are. */
export function sentenceFor(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  if (error.code === "SQLITE_NOTADB") return new OperatorError(foreignSentence);
  if (/^SQLITE_(FULL|IOERR|NOMEM|READONLY|CANTOPEN|BUSY)/.test(error.code ?? "")) return error;
  return new OperatorError("The database is damaged or truncated.");
}

function problemInContent(connection: Connection, schema: Connection): string | null {
  const [[integrity = "no result of integrity_check"] = []] = connection.query("PRAGMA integrity_check(1)").values();
  // SQLite's text names the database in a first line.
  if (integrity !== "ok") return printable(String(integrity).replace(/^\*.*\n/, ""), integrityCharactersMax);
  if (connection.query("PRAGMA foreign_key_check").get() !== null) return "a row refers to one that does not exist";
  return (
    numberOutOfBounds(connection, schema) ??
    textOutOfRules(connection, columnsByTable(schema, "TEXT")) ??
    problemInRows(connection, columnsByTable(schema, "INTEGER"))
  );
}

/** Applies the rules for the tables and columns that the file's version has. */
function problemInRows(connection: Connection, known: Map<string, string[]>): string | null {
  const rules = contentRules.filter(({ table, column }) => {
    const columns = known.get(table);
    return columns && (column === undefined || columns.includes(column));
  });
  return rules.find(({ broken }) => connection.query(broken).get() !== null)?.problem ?? null;
}

function numberOf(connection: Connection, sql: string): number {
  const [[value] = []] = connection.query(sql).values();
  return Number(value);
}

/**
 * The bounds of whole numbers, by the name of their column. The tables' constraints bound what calls can write; these
 * bound what a restored file can contain: a time outside the calendar would break every list that shows it.
 */
export const columnKinds = {
  time: { named: /(^|_)at$/, least: 0, most: Date.UTC(9999, 11, 31, 23, 59, 59, 999) },
  /** A ledger's amounts may be negative. */
  credits: { named: /_tenths$/, least: -balanceTenthsMax, most: balanceTenthsMax },
  /** Half of the safe integers, so that future ids are exact too. */
  id: { named: /^id$|_(id|by)$/, least: 1, most: 2 ** 52 },
  count: { named: /_(count|limit|step|hours|days|ms)$|^(count|days|hours|version)$/, least: 0, most: 2 ** 40 },
  /** Hours of an event, negative when taken back, or a device limit. */
  amount: { named: /^amount$/, least: -(2 ** 40), most: 2 ** 40 },
  /** A day's number since 1970; -1 stands for paused keys. */
  day: { named: /_day$/, least: -1, most: Math.floor(Date.UTC(9999, 11, 31) / msPerDay) },
  /** Of a shop, which may ask for any number of keys, and the status of the response. */
  sale: { named: /^(quantity|status)$/, least: 0, most: Number.MAX_SAFE_INTEGER },
  /** Of a file; 0 is before the first. */
  line: { named: /(^|_)line$/, least: 0, most: 2 ** 40 },
  /** Totals of all owners are spread over 64 rows. */
  shard: { named: /^shard$/, least: 0, most: 63 },
  /** The number of a verdict, as in its migration. */
  code: { named: /_code$/, least: 0, most: 8 },
  /** A reseller's id, or 0 for the admins. */
  owner: { named: /^owner$/, least: 0, most: 2 ** 52 },
  flag: { named: /(^|_)is_/, least: 0, most: 1 },
} as const;

/** For other columns: JavaScript's safe integers. */
const anyWholeNumber = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

/**
 * Returns which number is out of bounds, as the end of a sentence, or null. `schema` has the tables as our migrations
 * create them.
 */
export function numberOutOfBounds(connection: Connection, schema: Connection): string | null {
  for (const [table, columns] of columnsByTable(schema, "INTEGER")) {
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

/** Returns each table's columns of a type, from a trusted schema. */
export function columnsByTable(schema: Connection, type: "INTEGER" | "TEXT"): Map<string, string[]> {
  const rows = schema
    .query<{ table: string; column: string }, [string]>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = ?`,
    )
    .all(type);
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
}
