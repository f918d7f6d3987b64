import { Database as Connection } from "bun:sqlite";
import { OperatorError } from "../../core/operator-error.ts";
import { applyMissing, type Migration, notApplied } from "./applied-migrations.ts";

interface SchemaRow {
  type: string;
  name: string;
  table: string;
  sql: string | null;
}

/** SQLite's own statistics tables. No other table may exist besides those of the migrations. */
const statistics: SchemaRow[] = [
  ["sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"],
  ["sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"],
].map(([name = "", sql = ""]) => ({ type: "table", name, table: name, sql }));

/** Limits how much of a hostile file is read. Our schema has dozens of rows of a few hundred characters. */
const schemaRowsMax = 5_000;
const sqlCharactersMax = 100_000;

/**
 * Returns a database in memory with exactly the tables of the version of `connection`. The caller closes it. Throws
 * `OperatorError` unless every table, index, trigger and view of the file is exactly what our migrations make.
 *
 * Before that no content of the file is read, because an attacker's view or expression could run. The only exception is
 * the table of its migrations, once that table has been compared.
 */
export function releasedSchemaOf(connection: Connection, migrations: Migration[]): Connection {
  const found = schemaOf(connection);
  // SQLite ignores the case of names. Triggers do not run on reads: ours, which audits migrations, is compared with the
  // rest.
  const isMark = ({ type, name, table }: SchemaRow) =>
    type !== "trigger" && /^schema_migrations$/im.test(`${name}\n${table}`);
  refuseDifferent(found.filter(isMark), referenceRows([]).filter(isMark));
  const missing = notApplied(connection, migrations);
  const applied = migrations.filter((migration) => !missing.includes(migration));
  if (applied.length === 0) throw different("is still empty");

  const reference = referenceOf(applied);
  try {
    const encoding = (each: Connection) => each.query("PRAGMA encoding").values().join();
    if (encoding(connection) !== encoding(reference)) throw different("has an encoding other than UTF-8");
    refuseDifferent(found, schemaOf(reference));
    return reference;
  } catch (error) {
    reference.close();
    throw error;
  }
}

function schemaOf(connection: Connection): SchemaRow[] {
  const rows = connection
    .query<SchemaRow, []>(
      `SELECT type, name, tbl_name AS "table", substr(sql, 1, ${sqlCharactersMax}) AS sql FROM sqlite_schema LIMIT ${schemaRowsMax}`,
    )
    .all();
  return rows.filter((row) => !statistics.some((known) => textOf(known) === textOf(row)));
}

function referenceOf(migrations: Migration[]): Connection {
  const reference = new Connection(":memory:");
  applyMissing(reference, migrations, () => 0);
  return reference;
}

function referenceRows(migrations: Migration[]): SchemaRow[] {
  const reference = referenceOf(migrations);
  try {
    return schemaOf(reference);
  } finally {
    reference.close();
  }
}

function refuseDifferent(found: SchemaRow[], ours: SchemaRow[]): void {
  const foundTexts = new Set(found.map(textOf));
  const ourTexts = new Set(ours.map(textOf));
  const added = found.find((row) => !ourTexts.has(textOf(row)));
  if (added) {
    const isChanged = ours.some(({ type, name }) => type === added.type && name === added.name);
    throw different(isChanged ? `has a different ${called(added)}` : `has the ${called(added)}, which is not ours`);
  }
  const lacking = ours.find((row) => !foundTexts.has(textOf(row)));
  if (lacking) throw different(`lacks the ${called(lacking)}`);
  if (found.length !== ours.length) throw different("has two tables of the same name");
}

function different(how: string): OperatorError {
  return new OperatorError(`The database differs from Latchkey's schema: it ${how}.`);
}

function textOf({ type, name, table, sql }: SchemaRow): string {
  return JSON.stringify([type, name, table, sql]);
}

/** Its name in the file, unless that could contain control sequences for a terminal. */
function called({ type, name }: SchemaRow): string {
  return /^\w{1,20} \w{1,100}$/.test(`${type} ${name}`) ? `${type} ${name}` : "entry with an invalid name";
}
