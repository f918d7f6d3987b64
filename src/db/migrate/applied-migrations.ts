import type { Database as Connection } from "bun:sqlite";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import { foldedText, withThousandsSeparators } from "../../core/text.ts";

/** Marks a SQLite file as ours ("LKEY"). */
export const applicationId = 0x4c4b4559;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

export type AppliedMigration = Omit<Migration, "sql">;

/** More than there will ever be. It limits how much of a hostile file is read. */
const appliedMax = 10_000;

/** Applies the missing migrations, each in its own transaction, and returns their names. Throws `OperatorError`. */
export function applyMissing(connection: Connection, migrations: Migration[], now: () => number): string[] {
  const missing = missingMigrations(connection, migrations);
  for (const migration of missing) apply(connection, migration, now());
  return missing.map((migration) => migration.name);
}

/** Returns the missing migrations. Creates the table of migrations in an empty database. Throws `OperatorError`. */
export function missingMigrations(connection: Connection, migrations: Migration[]): Migration[] {
  connection.run(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`,
  );
  return notApplied(connection, migrations);
}

/**
 * The same for a database that has the table. Only reads. Throws `OperatorError` if a migration is unknown or
 * different.
 */
export function notApplied(connection: Connection, migrations: Migration[]): Migration[] {
  const applied = connection
    .query<AppliedMigration, []>(
      `SELECT version, name, checksum FROM schema_migrations ORDER BY version LIMIT ${appliedMax}`,
    )
    .all();
  return missingOf(applied, migrations, connection.filename);
}

/**
 * Throws `OperatorError` if an applied migration is unknown or different. In SQLite, `file` is the database, whose copy
 * from before an unknown migration is named.
 */
export function missingOf(applied: AppliedMigration[], migrations: Migration[], file?: string): Migration[] {
  for (const each of applied) refuseUnknown(each, migrations, file);
  return migrations.filter((migration) => !applied.some(({ version }) => version === migration.version));
}

function refuseUnknown({ version, name, checksum }: AppliedMigration, migrations: Migration[], file?: string): void {
  const known = migrations.find((migration) => migration.version === version);
  if (!known) {
    // A hostile file's text does not reach the terminal.
    const called = /^\w{1,100}$/.test(String(name)) ? name : version;
    const copy = file && copiesOf(file).find((each) => each.startsWith(`${file}.before-${called}.`));
    const way = copy
      ? ` To go back instead, run \`latchkey restore ${copy}\`: what was written since then is lost.`
      : "";
    throw new OperatorError(
      `The database was made by a newer Latchkey (it has migration ${called}). Use that version.${way}`,
    );
  }
  if (known.checksum !== checksum) {
    throw new OperatorError(
      `Migration ${known.name} differs from the one that was applied to this database. Nothing was changed.`,
    );
  }
}

/** The copies that were made before migrations. */
export function copiesOf(file: string): string[] {
  const folder = dirname(file);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.before-`));
  return names.map((name) => join(folder, name));
}

function apply(connection: Connection, { version, name, sql, checksum }: Migration, appliedAt: number): void {
  const note = "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)";
  const enforced = connection.query<{ foreign_keys: number }, []>("PRAGMA foreign_keys").get()?.foreign_keys ?? 0;
  try {
    // A table that others refer to can be made again only while references are not enforced.
    connection.run("PRAGMA foreign_keys = OFF");
    connection.transaction(() => {
      connection.run(sql);
      foldTextsInSqlite(connection, version);
      const [broken] = connection.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
      if (broken) throw new Error(`a reference of ${broken.table} would be broken`);
      connection.run(note, [version, name, checksum, appliedAt]);
    })();
  } catch (error) {
    throw new OperatorError(`Migration ${name} failed and changed nothing: ${(error as Error).message}.`);
  } finally {
    connection.run(`PRAGMA foreign_keys = ${enforced}`);
  }
}

/** These migrations write every key again. */
const rewritingVersions = [16, 17];
/** Measured, for each of them. On SQLite it includes the copy that is made first. */
const secondsPerMillionKeys = { sqlite: 20, postgres: 50 };
/** So many keys are written again in a moment. */
const keysUnannounced = 20_000;
const bytesPerKey = 1_000;

/**
 * What to say before long migrations: how long they take and how much space they need; null if they are short. Together
 * they took 38 s for a million keys on SQLite and 97 s on PostgreSQL, and 0.9 GB on both while they ran.
 */
export function noticeBefore(
  missing: readonly AppliedMigration[],
  keys: number,
  engine: keyof typeof secondsPerMillionKeys,
): string | null {
  const rewriting = missing.filter(({ version }) => rewritingVersions.includes(version));
  if (keys < keysUnannounced || rewriting.length === 0) return null;
  const seconds = Math.ceil((keys / 1e6) * secondsPerMillionKeys[engine] * rewriting.length);
  const megabytes = Math.ceil((keys * bytesPerKey) / 1e6);
  return `Migrating ${withThousandsSeparators(keys)} keys, which takes about ${seconds} s and up to ${megabytes} MB of free space.`;
}

interface FoldedColumn {
  table: string;
  column: string;
  folded: string;
  /** Whether no two rows have the same folded text, which then takes the place of the id. */
  isUnique?: true;
}

const searched: FoldedColumn[] = [
  { table: "key_devices", column: "device_id", folded: "device_folded" },
  { table: "license_keys", column: "note", folded: "note_folded" },
  { table: "orders", column: "note", folded: "note_folded" },
];

/** After these migrations, texts with other letters than A to Z, which SQL can fold, are folded here. */
const foldedAfter: Record<number, FoldedColumn[]> = {
  12: searched,
  27: [
    ...searched,
    { table: "orders", column: "external_id", folded: "external_id_folded" },
    { table: "referral_tokens", column: "label", folded: "label_folded" },
    { table: "game_names", column: "name", folded: "name_folded", isUnique: true },
    { table: "price_lists", column: "name", folded: "name_folded", isUnique: true },
  ],
};

type RowId = number | string;

interface TextRow {
  id: RowId;
  text: string;
}

/** `mark` starts a placeholder. `next` reads rows after an id that have other letters, and `fold` updates one. */
function statements(version: number, mark: "?" | "$") {
  return (foldedAfter[version] ?? []).map(({ table, column, folded, isUnique }) => {
    const id = isUnique ? folded : "id";
    // If two names have become the same, the second keeps its old form.
    const isFree = isUnique ? `NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.${folded} = ${mark}1)` : "true";
    return {
      first: isUnique ? "" : 0,
      next: `SELECT ${id} AS id, ${column} AS text FROM ${table}
        WHERE ${id} > ${mark}1 AND octet_length(${column}) > length(${column}) ORDER BY ${id} LIMIT 1000`,
      fold: `UPDATE ${table} SET ${folded} = ${mark}1 WHERE ${id} = ${mark}2 AND ${folded} <> ${mark}1 AND ${isFree}`,
    };
  });
}

export function foldTextsInSqlite(connection: Connection, version: number): void {
  for (const { first, next, fold } of statements(version, "?")) {
    const rowsAfter = (id: RowId) => connection.query<TextRow, [RowId]>(next).all(id);
    for (let rows = rowsAfter(first); rows.length > 0; rows = rowsAfter(rows.at(-1)?.id as RowId))
      for (const { id, text } of rows) connection.run(fold, [foldedText(text), id]);
  }
}

export async function foldTextsInPostgres(connection: Bun.ReservedSQL, version: number): Promise<void> {
  for (const { first, next, fold } of statements(version, "$")) {
    const rowsAfter = (id: RowId): Promise<TextRow[]> => connection.unsafe(next, [id]);
    for (let rows = await rowsAfter(first); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.id as RowId))
      for (const { id, text } of rows) await connection.unsafe(fold, [foldedText(text), id]);
  }
}
