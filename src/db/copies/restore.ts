import type { Database as Connection } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import { giveRightsOf } from "../files.ts";
import { applyMissing, type Migration } from "../migrate/applied-migrations.ts";
import { checkDatabase, openUntrusted } from "./check.ts";
import { type BackupSource, takeIn } from "./read-backup.ts";
import { setAside } from "./replaced.ts";
import { makeUnfinishedFolder, nameFile } from "./snapshot.ts";

/** How many rows of an index the statistics look at: enough to choose by, in any size of table. */
const analysedRowsMax = 1_000;

interface RestoreRequest {
  source: BackupSource;
  /** How the record calls it. */
  name: string;
  file: string;
  migrations: Migration[];
  now: () => number;
}

export interface RestoreReport {
  /** Where the old database now lies; `null` when there was none. */
  kept: string | null;
  /** The journal beside the backup whose changes came along. */
  wal: string | null;
  /** The user that root gave the new database to. */
  owner: number | null;
}

/**
 * Puts a backup in the place of the database `file`. It is copied, checked and migrated beside the database first; only a rename is left
 * for the end, and the new database has the owner and the mode of the old one. Between the steps a signal may end the process. The caller
 * holds the data folder's lock. Throws `OperatorError`.
 */
export async function restoreDatabase({ source, name, file, migrations, now }: RestoreRequest): Promise<RestoreReport> {
  refuseOtherOwner(file);
  const unfinished = makeUnfinishedFolder(dirname(file), { isDataFolder: true });
  try {
    const candidate = join(unfinished.path, "latchkey.db");
    const wal = await takeIn(source, candidate);
    await new Promise(setImmediate);
    checkDatabase(candidate, migrations);
    await new Promise(setImmediate);
    bringUp(candidate, migrations, now);
    putOnRecord(candidate, name, now());
    const owner = giveRightsOf(existsSync(file) ? file : dirname(file), candidate);
    const kept = setAside(file, now());
    nameFile(candidate, file);
    return { kept, wal, owner };
  } finally {
    unfinished.remove();
  }
}

/** Only root may give a file away, so anybody else would leave a database that the server cannot open. */
function refuseOtherOwner(file: string): void {
  const user = process.getuid?.() ?? 0;
  if (user === 0 || !existsSync(file) || statSync(file).uid === user) return;
  throw new OperatorError(`The database belongs to the user ${statSync(file).uid}. Restore as that user, or as root.`);
}

function bringUp(candidate: string, migrations: Migration[], now: () => number): void {
  const connection = openUntrusted(candidate);
  try {
    applyMissing(connection, migrations, now);
    // Sessions of the past are over: a person who was suspended since must not come back with an old cookie.
    connection.run("DELETE FROM sessions");
    gatherStatisticsAnew(connection);
  } finally {
    connection.close();
  }
}

/** The restored database says itself that it was restored: both get the name in one step. It is open nowhere else, so this is not an audited change. */
function putOnRecord(candidate: string, file: string, at: number): void {
  const connection = openUntrusted(candidate);
  try {
    const row = "INSERT INTO audit (at, action, target, details) VALUES (?, 'backup_restored', 'database', ?)";
    connection.run(row, [at, JSON.stringify({ by: "command line", file })]);
  } finally {
    connection.close();
  }
}

/** The statistics came with the file: wrong ones would make the server choose slow ways through its tables. */
function gatherStatisticsAnew(connection: Connection): void {
  const tables = connection
    .query("SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')")
    .values()
    .flat();
  for (const table of tables) connection.run(`DROP TABLE ${table}`);
  if (tables.length > 0) connection.run(`PRAGMA analysis_limit = ${analysedRowsMax}; ANALYZE`);
}
