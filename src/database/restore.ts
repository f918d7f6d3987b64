import { Database as Connection } from "bun:sqlite";
import { closeSync, copyFileSync, existsSync, linkSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { applicationId, applyMissing, type Migration, migrate } from "./migrations.ts";
import { flush, problemInCopy } from "./snapshot.ts";

/**
 * Puts the backup `source` in the place of the database `file`, and answers where the old database now lies (`null`
 * when there was none). The backup is copied, checked and migrated beside the database first; only a rename is left
 * for the end. The caller holds the data folder's lock. Throws `OperatorError`.
 */
export function restoreDatabase(
  source: string,
  file: string,
  migrations: Migration[],
  now: () => number,
): string | null {
  refuseUnreadable(source);
  const candidate = `${file}.restoring`;
  removeDatabase(candidate);
  try {
    copyFileSync(source, candidate);
    refuseForeignOrDamaged(candidate);
    migrateCandidate(candidate, migrations, now);
    flush(candidate);
    const kept = setAside(file, now());
    renameSync(candidate, file);
    flush(dirname(file));
    return kept;
  } finally {
    removeDatabase(candidate);
  }
}

function refuseUnreadable(source: string): void {
  if (!existsSync(source)) throw new OperatorError(`There is no file ${source}.`);
  if (headerOf(source) !== "SQLite format 3\0") throw new OperatorError(`${source} is not a backup of Latchkey.`);
}

function headerOf(source: string): string {
  const header = Buffer.alloc(16);
  try {
    const descriptor = openSync(source, "r");
    try {
      readSync(descriptor, header);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new OperatorError(`${source} cannot be read: ${(error as Error).message}`);
  }
  return header.toString("latin1");
}

function refuseForeignOrDamaged(candidate: string): void {
  try {
    const connection = new Connection(candidate, { readwrite: true, create: false });
    const owner = connection.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
    // The copy stands alone: no journal of the file it came from may change it later.
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
    if (owner !== applicationId) throw new OperatorError("The file is not a backup of Latchkey.");
    const problem = problemInCopy(candidate);
    if (problem) throw new OperatorError(`The backup is damaged: ${problem}.`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError("The backup is damaged or cut short.");
  }
}

function migrateCandidate(candidate: string, migrations: Migration[], now: () => number): void {
  const { backupFile } = migrate(candidate, migrations, now);
  if (backupFile) removeDatabase(backupFile);
  const connection = new Connection(candidate, { readwrite: true, create: false });
  try {
    // WAL was turned on by the migration; the server turns it on again. Without it the file is whole by itself.
    connection.run("PRAGMA journal_mode = DELETE");
    refuseOtherSchema(connection, migrations, now);
    // Sessions of the past are over: a person who was suspended since must not come back with an old cookie.
    connection.run("DELETE FROM sessions");
  } finally {
    connection.close();
  }
}

/** A backup whose tables or triggers differ from what our migrations make was prepared by somebody else. */
function refuseOtherSchema(candidate: Connection, migrations: Migration[], now: () => number): void {
  const ours = new Connection(":memory:");
  applyMissing(ours, migrations, now);
  const same = JSON.stringify(schemaOf(candidate)) === JSON.stringify(schemaOf(ours));
  ours.close();
  if (!same) throw new OperatorError("The file's tables are not those of Latchkey.");
}

function schemaOf(connection: Connection): unknown[] {
  return connection
    .query("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name")
    .all();
}

/** Keeps the old database beside the new one, under a name that says when. Its WAL is folded into it first. */
function setAside(file: string, now: number): string | null {
  if (!existsSync(file)) return null;
  const kept = `${file}.replaced.${now}`;
  try {
    const connection = new Connection(file, { readwrite: true, create: false });
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
  } catch {
    // A database too damaged to open is exactly why people restore: its files are kept as they are.
  }
  // A journal left behind would be played into the new database.
  for (const suffix of ["-wal", "-shm"]) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  // Linked, not moved: until the new database takes the name, the old one still has it, also when we are killed here.
  linkSync(file, kept);
  return kept;
}

function removeDatabase(file: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
}
