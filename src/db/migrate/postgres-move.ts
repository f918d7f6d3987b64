import { Database as Connection } from "bun:sqlite";
import { OperatorError } from "../../core/operator-error.ts";
import { checkPostgres } from "../copies/content-rules.ts";
import { withConnection } from "../postgres/postgres-connection.ts";
import { stateOf } from "../postgres/postgres-faults.ts";
import { plainRows } from "../postgres/postgres-pool.ts";
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
  /** A checked database of this version without writers. It is only read. */
  file: string;
  /** An empty PostgreSQL, reached without a pooler. */
  url: string;
  at: number;
  /** `share` is from 0 to 1. */
  onProgress: (step: "copying" | "comparing", table: string, share: number) => void;
}

/**
 * Copies a database to an empty PostgreSQL and compares every row that arrived. It is one transaction there, so after a
 * failure, or if the process dies, the PostgreSQL is still empty. Throws `OperatorError`.
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
      const sent = await copyAll({ source, target, tables, onProgress });
      await continueIds(source, target);
      const moved = await compareAll({ target, tables, onProgress }, sent);
      await checkPostgres(target);
      const ledgerTenths = await ledgerOf(target);
      await target.unsafe("COMMIT");
      // Without statistics the first queries of a large database would read whole tables.
      await target.unsafe("ANALYZE");
      return { tables: moved, ledgerTenths };
    });
  } finally {
    source.close();
  }
}

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
  const [[rows] = []] = source.query(`SELECT count(*) FROM "${name}"`).values();
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

interface Step {
  source: Connection;
  target: Bun.ReservedSQL;
  tables: Table[];
  onProgress: Move["onProgress"];
}

/** Returns the checksum of each table's rows as they were read. */
async function copyAll({ source, target, tables, onProgress }: Step): Promise<Map<string, string>> {
  const checksums = new Map<string, string>();
  for (const table of tables) {
    const { name } = table;
    const hash = new Bun.CryptoHasher("sha256");
    let sent = 0;
    for (const rows of batchesOf(source, table)) {
      const text = `INSERT INTO "${name}" SELECT * FROM json_populate_recordset(NULL::"${name}", $1::text::json)`;
      await target.unsafe(text, [JSON.stringify(rows)]).catch((error) => refuseText(error, name));
      addTo(hash, rows, table);
      sent += rows.length;
      onProgress("copying", name, sent / table.rows);
    }
    checksums.set(name, hash.digest("hex"));
    await target.unsafe(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
  }
  return checksums;
}

/** Ids are never reused, so the next one follows the highest that was ever given, even if its row is gone. */
async function continueIds(source: Connection, target: Bun.ReservedSQL): Promise<void> {
  const counters = source.query<{ name: string; last: number }, []>("SELECT name, seq AS last FROM sqlite_sequence");
  for (const { name, last } of counters.all()) {
    if (last > 0) await target.unsafe("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [name, last]);
  }
}

/** SQLite can store a zero byte in a text, PostgreSQL cannot. */
function refuseText(error: unknown, table: string): never {
  if (stateOf(error) !== "22P05") throw error;
  throw new OperatorError(`A text in ${table} contains a zero byte, which PostgreSQL cannot store.`);
}

async function compareAll(
  { target, tables, onProgress }: Omit<Step, "source">,
  sent: Map<string, string>,
): Promise<MovedTable[]> {
  const moved: MovedTable[] = [];
  for (const table of tables) {
    const found = new Bun.CryptoHasher("sha256");
    let count = 0;
    for await (const rows of receivedRows(target, table)) {
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

async function ledgerOf(target: Bun.ReservedSQL): Promise<number> {
  const [row] = await target.unsafe(
    "SELECT CAST(coalesce(sum(amount_tenths), 0) AS BIGINT) AS tenths FROM credit_ledger",
  );
  return Number(row.tenths);
}
