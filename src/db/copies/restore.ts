import type { Database as Connection } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import { giveRightsOf } from "../files.ts";
import { applyMissing, type Migration } from "../migrate/applied-migrations.ts";
import { checkDatabase, openUntrusted } from "./check.ts";
import { type BackupSource, copyBackup } from "./read-backup.ts";
import { keepReplaced } from "./replaced.ts";
import { makeUnfinishedFolder, nameFile } from "./snapshot.ts";

/** ANALYZE reads this many rows of each index, which is enough for tables of any size. */
const analysedRowsMax = 1_000;

/**
 * Replaces the database `file` with a backup, which the audit log calls `name`. The backup is copied, checked and
 * migrated next to the database first, and renamed at the end. The new database has the owner and the mode of the old
 * one. Between the steps a signal may end the process. The caller holds the data folder's lock. Throws `OperatorError`.
 *
 * Returns the path of the old database (`kept`), the path of the backup's journal if there was one (`wal`), and the
 * user to whom root gave the new database (`owner`).
 */
export async function restoreDatabase({
  source,
  name,
  file,
  migrations,
  now,
}: {
  source: BackupSource;
  name: string;
  file: string;
  migrations: Migration[];
  now: () => number;
}) {
  refuseOtherOwner(file);
  const unfinished = makeUnfinishedFolder(dirname(file), { isDataFolder: true });
  try {
    const candidate = join(unfinished.path, "latchkey.db");
    const wal = await copyBackup(source, candidate);
    await new Promise(setImmediate);
    checkDatabase(candidate, migrations);
    await new Promise(setImmediate);
    migrateCandidate(candidate, migrations, now);
    recordInAuditLog(candidate, name, now());
    const owner = giveRightsOf(existsSync(file) ? file : dirname(file), candidate);
    const kept = keepReplaced(file, now());
    nameFile(candidate, file);
    return { kept, wal, owner };
  } finally {
    unfinished.remove();
  }
}

/** Only root may change a file's owner. Any other user would leave a database that the server cannot open. */
function refuseOtherOwner(file: string): void {
  const user = process.getuid?.() ?? 0;
  if (user === 0 || !existsSync(file) || statSync(file).uid === user) return;
  throw new OperatorError(`The database belongs to the user ${statSync(file).uid}. Restore as that user, or as root.`);
}

function migrateCandidate(candidate: string, migrations: Migration[], now: () => number): void {
  const connection = openUntrusted(candidate);
  try {
    applyMissing(connection, migrations, now);
    // Old sessions end: a reseller who was suspended since must not return with an old cookie.
    connection.run("DELETE FROM sessions");
    // The audit row of the restore has the time of this clock, which the operator thereby confirms.
    connection.run("DELETE FROM clock_doubt");
    rebuildStatistics(connection);
  } finally {
    connection.close();
  }
}

/**
 * The restored database has the audit entry before it gets its name. It is open nowhere else, so this is not an audited
 * change.
 */
function recordInAuditLog(candidate: string, file: string, at: number): void {
  const connection = openUntrusted(candidate);
  try {
    const row = "INSERT INTO audit (at, action, target, details) VALUES (?, 'backup_restored', 'database', ?)";
    connection.run(row, [at, JSON.stringify({ by: "command line", file })]);
  } finally {
    connection.close();
  }
}

/** The statistics came with the file, and wrong ones would make queries slow. */
function rebuildStatistics(connection: Connection): void {
  const tables = connection
    .query("SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')")
    .values()
    .flat();
  for (const table of tables) connection.run(`DROP TABLE ${table}`);
  if (tables.length > 0) analyse(connection);
}

/** Without statistics the first queries of a large database would read whole tables. */
export function analyse(connection: Connection): void {
  connection.run(`PRAGMA analysis_limit = ${analysedRowsMax}; ANALYZE`);
}
