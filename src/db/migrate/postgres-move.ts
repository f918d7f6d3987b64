import { Database as Connection } from "bun:sqlite";
import { OperatorError } from "../../core/operator-error.ts";
import type { SqlValue } from "../contract.ts";
import { checkPostgres } from "../copies/content-rules.ts";
import { analyse } from "../copies/restore.ts";
import { withConnection } from "../postgres/postgres-connection.ts";
import { stateOf } from "../postgres/postgres-faults.ts";
import { plainRows } from "../postgres/postgres-pool.ts";
import { applicationId, applyMissing } from "./applied-migrations.ts";
import { releasedMigrations } from "./migrations.ts";
import { makeTables } from "./postgres-migrations.ts";

/** Rows sent or fetched at a time: a few hundred kilobytes. */
const rowsAtOnce = 2_000;

export interface MovedTable {
  name: string;
  rows: number;
  /** SHA-256 of its rows in the order of the primary key, the same in both databases. */
  checksum: string;
}

export interface MoveReport {
  tables: MovedTable[];
  /** The sum of the ledger in tenths of a credit, the same in both databases. */
  ledgerTenths: number;
}

interface Table {
  name: string;
  columns: string[];
  primaryKey: string[];
  rows: number;
}

interface Move {
  /** A database file without other users. */
  file: string;
  /** A PostgreSQL, reached without a pooler. */
  url: string;
  at: number;
  /** `share` is from 0 to 1. */
  onProgress: (step: "copying" | "comparing", table: string, share: number) => void;
}

/**
 * Copies a checked database of this version to an empty PostgreSQL and compares every row that arrived. The file is
 * only read. It is one transaction in PostgreSQL, so after a failure, or if the process dies, PostgreSQL is still empty.
 * Throws `OperatorError`.
 */
export async function moveToPostgres({ file, url, at, onProgress }: Move): Promise<MoveReport> {
  const source = new Connection(file, { readonly: true });
  try {
    return await withConnection(url, async (target) => {
      await target.unsafe("BEGIN");
      await makeTables(target, at);
      await target.unsafe("SET CONSTRAINTS ALL IMMEDIATE");
      const tables = tablesOf(source);
      await empty(target, tables);
      const send = (table: Table, rows: Row[]) => insertInPostgres(target, table, rows);
      const sent = await copyAll({ tables, rowsOf: (table) => batchesOf(source, table), onProgress }, send);
      for (const { name } of tables) await target.unsafe(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
      await continueIds(source, target);
      const moved = await compareAll({ tables, rowsOf: (table) => receivedRows(target, table), onProgress }, sent);
      await checkPostgres(target);
      const [ledger] = await target.unsafe(sumOfLedger);
      await target.unsafe("COMMIT");
      // Without statistics the first queries of a large database would read whole tables.
      await target.unsafe("ANALYZE");
      return { tables: moved, ledgerTenths: Number(ledger.tenths) };
    });
  } finally {
    source.close();
  }
}

/**
 * Copies a PostgreSQL of this version into a new database file and compares every row that arrived. After a failure the
 * caller removes the file. Throws `OperatorError`.
 */
export async function moveToFile({ file, url, at, onProgress }: Move): Promise<MoveReport> {
  const target = new Connection(file, { create: true, readwrite: true });
  try {
    target.run(`PRAGMA application_id = ${applicationId}`);
    applyMissing(target, releasedMigrations(), () => at);
    return await withConnection(url, async (source) => {
      await source.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const tables = tablesOf(target);
      for (const table of tables) table.rows = Number((await source.unsafe(countOf(table.name)))[0].rows);
      // A row may refer to a later one. The references are checked with the finished file.
      target.run("PRAGMA foreign_keys = OFF; BEGIN");
      const restoreTriggers = dropTriggers(target);
      for (const { name } of tables) target.run(`DELETE FROM "${name}"`);
      const send = (table: Table, rows: Row[]) => insertInFile(target, table, rows);
      const sent = await copyAll({ tables, rowsOf: (table) => receivedRows(source, table), onProgress }, send);
      restoreTriggers();
      await continueIdsInFile(source, target);
      target.run("COMMIT");
      const moved = await compareAll({ tables, rowsOf: (table) => batchesOf(target, table), onProgress }, sent);
      analyse(target);
      const [[tenths] = []] = target.query(sumOfLedger).values();
      return { tables: moved, ledgerTenths: Number(tenths) };
    });
  } finally {
    target.close();
  }
}

const countOf = (table: string) => `SELECT count(*) AS rows FROM "${table}"`;
const sumOfLedger = "SELECT CAST(coalesce(sum(amount_tenths), 0) AS BIGINT) AS tenths FROM credit_ledger";

/** Returns the tables, each after those that it references. Each database keeps its own list of migrations. */
function tablesOf(source: Connection): Table[] {
  const names = source
    .query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .values()
    .flat()
    .map(String)
    .filter((name) => name !== "schema_migrations");
  const ordered = new Set<string>();
  const add = (name: string) => {
    const parents = source.query(`SELECT DISTINCT "table" FROM pragma_foreign_key_list('${name}')`).values().flat();
    for (const parent of parents.map(String)) if (parent !== name && !ordered.has(parent)) add(parent);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered].map((name) => describeTable(source, name));
}

function describeTable(source: Connection, name: string): Table {
  const columns = source.query<{ name: string; pk: number }, []>(`PRAGMA table_info("${name}")`).all();
  const primaryKey = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const [[rows] = []] = source.query(countOf(name)).values();
  return {
    name,
    columns: columns.map((column) => column.name),
    primaryKey: primaryKey.map((column) => column.name),
    rows: Number(rows),
  };
}

/** Removes the few rows that the migrations insert. Triggers would count rows twice, or refuse the moved ones. */
async function empty(target: Bun.ReservedSQL, tables: Table[]): Promise<void> {
  for (const { name } of [...tables].reverse()) {
    await target.unsafe(`ALTER TABLE "${name}" DISABLE TRIGGER USER; DELETE FROM "${name}"`);
  }
}

/** The same in a file, which cannot disable them. Returns how to restore them. */
function dropTriggers(target: Connection): () => void {
  const triggers = target
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) target.run(`DROP TRIGGER "${name}"`);
  return () => {
    for (const { sql } of triggers) target.run(sql);
  };
}

interface Step {
  tables: Table[];
  /** Reads a table in the order of its primary key. */
  rowsOf: (table: Table) => Iterable<Row[]> | AsyncIterable<Row[]>;
  onProgress: Move["onProgress"];
}

/** Returns the checksum of each table's rows as they were read. */
async function copyAll(
  { tables, rowsOf, onProgress }: Step,
  send: (table: Table, rows: Row[]) => Promise<void> | void,
): Promise<Map<string, string>> {
  const checksums = new Map<string, string>();
  for (const table of tables) {
    const { name } = table;
    const hash = new Bun.CryptoHasher("sha256");
    let sent = 0;
    for await (const rows of rowsOf(table)) {
      await send(table, rows);
      addTo(hash, rows, table);
      sent += rows.length;
      onProgress("copying", name, sent / table.rows);
    }
    checksums.set(name, hash.digest("hex"));
  }
  return checksums;
}

async function insertInPostgres(target: Bun.ReservedSQL, { name }: Table, rows: Row[]): Promise<void> {
  const text = `INSERT INTO "${name}" SELECT * FROM json_populate_recordset(NULL::"${name}", $1::text::json)`;
  await target.unsafe(text, [JSON.stringify(rows)]).catch((error) => refuseText(error, name));
}

function insertInFile(target: Connection, { name, columns }: Table, rows: Row[]): void {
  const values = columns.map(() => "?").join(", ");
  const insert = target.query(`INSERT INTO "${name}" (${listOf(columns)}) VALUES (${values})`);
  for (const row of rows) insert.run(...columns.map((column) => row[column] as SqlValue));
}

/** Ids are never reused, so the next one follows the highest that was ever given, even if its row is gone. */
async function continueIds(source: Connection, target: Bun.ReservedSQL): Promise<void> {
  const counters = source.query<{ name: string; last: number }, []>("SELECT name, seq AS last FROM sqlite_sequence");
  for (const { name, last } of counters.all()) {
    if (last > 0) await target.unsafe("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [name, last]);
  }
}

async function continueIdsInFile(source: Bun.ReservedSQL, target: Connection): Promise<void> {
  target.run("DELETE FROM sqlite_sequence");
  const counting = target.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'");
  for (const name of counting.values().flat().map(String)) {
    const text = "SELECT pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass) AS last";
    const [{ last }] = await source.unsafe(text, [name]);
    if (last !== null) target.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [name, Number(last)]);
  }
}

/** SQLite can store a zero byte in a text, PostgreSQL cannot. */
function refuseText(error: unknown, table: string): never {
  if (stateOf(error) !== "22P05") throw error;
  throw new OperatorError(`A text in ${table} contains a zero byte, which PostgreSQL cannot store.`);
}

async function compareAll({ tables, rowsOf, onProgress }: Step, sent: Map<string, string>): Promise<MovedTable[]> {
  const moved: MovedTable[] = [];
  for (const table of tables) {
    const found = new Bun.CryptoHasher("sha256");
    let count = 0;
    for await (const rows of rowsOf(table)) {
      addTo(found, rows, table);
      count += rows.length;
      onProgress("comparing", table.name, count / table.rows);
    }
    const checksum = found.digest("hex");
    if (count !== table.rows || checksum !== sent.get(table.name)) {
      throw new OperatorError(`${table.name} did not arrive unchanged: ${count} of ${table.rows} rows.`);
    }
    moved.push({ name: table.name, rows: count, checksum });
  }
  return moved;
}

type Row = Record<string, unknown>;

function* batchesOf(source: Connection, { name, primaryKey }: Table): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of source.query<Row, []>(`SELECT * FROM "${name}" ORDER BY ${listOf(primaryKey)}`).iterate()) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* receivedRows(target: Bun.ReservedSQL, { name, columns, primaryKey }: Table): AsyncGenerator<Row[]> {
  const text = `SELECT ${listOf(columns)} FROM "${name}" ORDER BY ${listOf(primaryKey)}`;
  await target.unsafe(`DECLARE arrived NO SCROLL CURSOR FOR ${text}`);
  for (;;) {
    const rows = plainRows<Row>(await target.unsafe(`FETCH ${rowsAtOnce} FROM arrived`));
    if (rows.length === 0) break;
    yield rows;
  }
  await target.unsafe("CLOSE arrived");
}

function addTo(hash: Bun.CryptoHasher, rows: Row[], { columns }: Table): void {
  for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
}

function listOf(columns: string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}
