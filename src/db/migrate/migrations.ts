import { Database as Connection } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { resourcePath } from "../../config/program.ts";
import { msPerDay } from "../../core/clock.ts";
import { OperatorError } from "../../core/operator-error.ts";
import { busyTimeoutMs } from "../connection.ts";
import { checkDatabase } from "../copies/check.ts";
import { copyDatabase } from "../copies/snapshot.ts";
import { chunksOf, giveToOwnerOf } from "../files.ts";
import {
  applicationId,
  applyMissing,
  copiesOf,
  type Migration,
  missingMigrations,
  notApplied,
  noticeBefore,
} from "./applied-migrations.ts";

export type MigrationReport = ReturnType<typeof migrate>;

export function releasedMigrations(folder = resourcePath("migrations")): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), "utf8");
      const checksum = new Bun.CryptoHasher("sha256").update(sql).digest("hex");
      return { version: Number(file.slice(0, 4)), name: file.slice(0, -".sql".length), sql, checksum };
    });
}

/**
 * Migrates the database file to this version, and creates it if there is none (`isNew`). Forward only: each migration
 * runs once, in its own transaction, and those applied before must be known. `announce` is told of a long one. `backupFile` is the copy that was taken
 * before a database with data was changed. Throws `OperatorError`.
 */
export function migrate(
  file: string,
  migrations: Migration[],
  now: () => number,
  announce: (notice: string) => void = () => {},
) {
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    claim(connection);
    connection.run("PRAGMA journal_mode = WAL");
    const missing = missingMigrations(connection, migrations);
    const [first] = missing;
    const isNew = first !== undefined && first === migrations[0];
    if (isNew) giveToOwnerOf(dirname(file), file);
    const notice = isNew ? null : noticeBefore(missing, keysIn(connection), "sqlite");
    if (notice) announce(notice);
    const backupFile = first && !isNew ? copyOrExplain({ connection, file, migration: first, migrations }) : null;
    const applied = applyOrExplain(connection, migrations, now, backupFile);
    const version = migrations.at(-1)?.version ?? 0;
    return { applied, version, backupFile, isNew };
  } finally {
    connection.close();
  }
}

function keysIn(connection: Connection): number {
  const { keys = 0 } = connection.query<{ keys: number }, []>("SELECT count(*) AS keys FROM license_keys").get() ?? {};
  return keys;
}

function copyOrExplain(request: CopyRequest): string {
  try {
    return copyBefore(request);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(
      `The database was not migrated, because a copy of it could not be restored. ${error.message}`,
    );
  }
}

function applyOrExplain(connection: Connection, migrations: Migration[], now: () => number, copy: string | null) {
  try {
    return applyMissing(connection, migrations, now);
  } catch (error) {
    if (!(error instanceof OperatorError) || copy === null) throw error;
    const way = "To go back, start the previous version; if it says that the database is newer, let it restore";
    throw new OperatorError(`${error.message} ${way} ${copy}`);
  }
}

/**
 * Whether `migrate` would create or change the file. Only reads, so a server may be running. Throws `OperatorError`.
 */
export function isBehind(file: string, migrations: Migration[]): boolean {
  if (!existsSync(file)) return true;
  const connection = new Connection(file, { readwrite: true, create: false });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const isMarked = connection.query("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== null;
    return !isMarked || notApplied(connection, migrations).length > 0;
  } finally {
    connection.close();
  }
}

/** Marks an empty file as ours. Throws `OperatorError` for another program's database. */
function claim(connection: Connection): void {
  const owner = connection.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
  if (owner === applicationId) return;
  const tables = connection.query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  if (tables !== 0) throw new OperatorError("The file is not a Latchkey database.");
  connection.run(`PRAGMA application_id = ${applicationId}`);
}

/** How long copies for going back to an older version are kept. The newest always stays. */
export const copyDaysMax = 30;

/** Enough of a hash to tell any two states of one database apart. */
const fingerprintCharacters = 16;

export interface CopyRequest {
  connection: Connection;
  file: string;
  /** The first migration that is missing. */
  migration: Migration;
  migrations: Migration[];
}

/**
 * Copies the database before a migration and returns the path. Each version has one copy: a server that fails and
 * restarts repeatedly finds it by the fingerprint in its name, and an older one is removed. Throws `OperatorError`.
 */
export function copyBefore({ connection, file, migration, migrations }: CopyRequest): string {
  // The journal is applied first, so that the fingerprint is the same at the next start.
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const start = `${file}.before-${migration.name}.`;
  const copy = start + fingerprintOf(file);
  for (const other of copiesOf(file)) if (other.startsWith(start) && other !== copy) rmSync(other);
  if (existsSync(copy)) {
    if (isWhole(copy, migrations)) return copy;
    rmSync(copy);
  }
  copyDatabase(connection, copy, migrations);
  giveToOwnerOf(file, copy);
  return copy;
}

/** Removes all but the newest copies that are older than `copyDaysMax` days, and returns their paths. */
export function removeOldCopies(file: string, now: number): string[] {
  const madeAt = (copy: string) => statSync(copy).mtimeMs;
  const [_newest, ...others] = copiesOf(file).sort((a, b) => madeAt(b) - madeAt(a));
  const old = others.filter((copy) => madeAt(copy) < now - copyDaysMax * msPerDay);
  for (const copy of old) rmSync(copy);
  return old;
}

function isWhole(copy: string, migrations: Migration[]): boolean {
  try {
    checkDatabase(copy, migrations);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** Includes the journal, in case another program kept it from being applied. */
function fingerprintOf(file: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of [file, `${file}-wal`]) {
    if (existsSync(path)) for (const chunk of chunksOf(path)) hash.update(chunk);
  }
  return hash.digest("hex").slice(0, fingerprintCharacters);
}
