import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type AuditedChanges, createAuditedChanges } from "../accounts/audited-changes.ts";
import type { Secrets } from "../accounts/sealed.ts";
import { newestBackupIn } from "../backups/kept-backups.ts";
import { newestInstant } from "../clock/instants-store.ts";
import { type Config, readConfig, weaknessOf } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import { OperatorError } from "../core/operator-error.ts";
import { randomText } from "../core/random.ts";
import type { Database } from "../db/contract.ts";
import { removeOldReplaced, removeSecondName, replacedDaysMax } from "../db/copies/replaced.ts";
import { removeAbandoned } from "../db/copies/snapshot.ts";
import { lockDataFolder, lockFile } from "../db/files.ts";
import {
  copyDaysMax,
  isBehind,
  type MigrationReport,
  migrate,
  releasedMigrations,
  removeOldCopies,
} from "../db/migrate/migrations.ts";
import { compareClock, type NewestInstants } from "../db/server-clock.ts";
import { type KeysChanged, openSqlite, type SqliteOptions } from "../db/sqlite/sqlite.ts";
import type { System } from "./terminal/command.ts";

const secretBytes = 48;

export function databaseFile(config: Pick<Config, "dataFolder">): string {
  return join(config.dataFolder, "latchkey.db");
}

/** Holds the secret if SECRET is not set. */
export function keptSecretFile(config: Pick<Config, "dataFolder">): string {
  return join(config.dataFolder, "secret");
}

/** Creates the data folder if it does not exist, readable by this user only. Throws `OperatorError`. */
export function makeDataFolder(folder: string): void {
  refuseClosed(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${folder} cannot be created: ${(error as Error).message}`);
  }
}

/**
 * Locks the data folder for this process, removes unfinished files of killed processes, and returns how to unlock it.
 * Throws `OperatorError` if another process has it, or this user cannot write there.
 */
export function claimDataFolder(config: Config): () => void {
  refuseUnwritable(config.dataFolder, databaseFile(config));
  const unlock = lockDataFolder(config.dataFolder);
  for (const each of [config.dataFolder, config.backups.folder]) if (existsSync(each)) removeAbandoned(each);
  removeSecondName(databaseFile(config));
  return unlock;
}

/**
 * Removes databases that were replaced long ago, and old copies from before migrations. The caller holds the data
 * folder's lock.
 */
export function removeOldFiles(config: Config, retentionNow: number, { print }: System): void {
  const file = databaseFile(config);
  for (const old of removeOldReplaced(file, retentionNow)) {
    print(`Removed ${old}, a database that was replaced more than ${replacedDaysMax} days ago.`);
  }
  for (const copy of removeOldCopies(file, retentionNow)) {
    print(`Removed ${copy}, a copy that is older than ${copyDaysMax} days and not the newest.`);
  }
}

/** Migrates the data folder's database and opens it. The caller holds the folder's lock. */
function openMigrated(config: Config, system: System, options?: SqliteOptions): Database {
  printMigrated(migrate(databaseFile(config), releasedMigrations(), system.now, system.print), config, system);
  return openSqlite(databaseFile(config), options);
}

/** For a command that creates no database. Throws `OperatorError`. */
export function refuseMissingDatabase(config: Config): void {
  if (existsSync(databaseFile(config))) return;
  refuseClosed(config.dataFolder);
  const folder = resolve(config.dataFolder);
  throw new OperatorError(`There is no database in ${folder}. Set DATA_DIR; \`serve\` or \`migrate\` creates one.`);
}

export function printMigrated(report: MigrationReport, config: Config, { print }: System): void {
  if (report.isNew) print(`Created a new database in ${resolve(config.dataFolder)}`);
  else if (report.applied.length > 0) print(`Migrated the database: ${report.applied.join(", ")}`);
  if (report.backupFile) print(`The previous database is kept in ${report.backupFile}`);
}

export function secretsFor(config: Config, system: System): Secrets {
  return { current: secretFor(config, system), previous: config.previousSecret };
}

/** Returns SECRET, or the secret in the data folder, which the first start generates. */
function secretFor(config: Config, system: System): string {
  if (config.secret !== null) return config.secret;
  const file = keptSecretFile(config);
  if (existsSync(file)) {
    const kept = readFileSync(file, "utf8").trim();
    const weakness = weaknessOf(kept);
    if (weakness !== null) {
      throw new OperatorError(`${file} ${weakness}. Put the file back as it was, or set SECRET to what it contained.`);
    }
    if ((statSync(file).mode & 0o077) === 0) return kept;
    if (!config.readableSecret) {
      throw new OperatorError(
        `${file} may be read by others: chmod 600 ${file}. If the file system has no such modes, set READABLE_SECRET=on.`,
      );
    }
    system.print(`${file} may be read by others, which READABLE_SECRET=on allows.`);
    return kept;
  }
  const secret = randomText(system.randomBytes, secretBytes);
  writePrivately(file, secret);
  return secret;
}

/** Writes a file that only this user can read, and flushes it to disk. */
export function writePrivately(file: string, text: string): void {
  makeDataFolder(dirname(file));
  const descriptor = openSync(file, "wx", 0o600);
  writeSync(descriptor, `${text}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Migrates and opens the database for a server. `keysChanged` evicts keys from the cache. `begun` is called once other
 * processes may start, and `unlock` after the database has been closed. Throws `OperatorError`.
 */
export async function openServerDatabase(config: Config, system: System, metrics: Metrics, keysChanged: KeysChanged) {
  if (config.postgres) {
    // Most servers run on SQLite, and their start loads no other engine.
    const { openServerPostgres } = await import("./postgres-data.ts");
    return { ...(await openServerPostgres(config.postgres, system, metrics)), unlock() {} };
  }
  makeDataFolder(config.dataFolder);
  const unlock = claimDataFolder(config);
  return { database: openMigrated(config, system, { metrics, keysChanged }), begun: async () => {}, unlock };
}

interface Opened {
  config: Config;
  database: Database;
  changes: AuditedChanges;
  clock: Pick<Clock, "now" | "isAhead">;
  /** The time of the newest row or backup that is not in doubt. */
  newestMs: number;
}

/**
 * Opens the database for a command that may run at the same time as servers, and closes it after `work`. It creates no
 * database, because DATA_DIR may be mistyped. An embedded database that must be migrated first may have no server
 * running on it. Throws `OperatorError`.
 */
export async function withDatabase<Result>(system: System, work: (opened: Opened) => Promise<Result>): Promise<Result> {
  const { now, note } = system;
  const config = readConfig(system.environment);
  const database = await openShared(config, system);
  try {
    const { isAhead, newestMs } = await compareClock(database, newestInstants(config), now());
    if (isAhead) note(clockAheadWarning);
    const changes = createAuditedChanges({ database, now });
    return await work({ config, database, changes, clock: { now, isAhead: () => isAhead }, newestMs });
  } finally {
    await database.close();
  }
}

const clockAheadWarning =
  "The clock here is more than 31 days ahead of the database: correct it or, if it is right, run `latchkey clock confirm`.";

/** What the clock is compared with. PostgreSQL is backed up by its own tools. */
export function newestInstants({ backups, postgres }: Config): NewestInstants {
  const ofBackups = async (beforeMs: number) => (postgres ? 0 : newestBackupIn(backups.folder, beforeMs));
  return { ofRows: newestInstant, ofBackups };
}

async function openShared(config: Config, system: System): Promise<Database> {
  if (config.postgres) {
    const { openSharedPostgres } = await import("./postgres-data.ts");
    return openSharedPostgres(config.postgres, system);
  }
  refuseMissingDatabase(config);
  if (!isBehind(databaseFile(config), releasedMigrations())) return openSqlite(databaseFile(config));
  const unlock = claimDataFolder(config);
  try {
    return openMigrated(config, system);
  } finally {
    unlock();
  }
}

/**
 * Opens the database for a command during which no server may run, and returns how to let servers start again. Throws
 * `OperatorError`.
 */
export async function openExclusiveDatabase(config: Config, system: System) {
  if (config.postgres) {
    const { openExclusivePostgres } = await import("./postgres-data.ts");
    return openExclusivePostgres(config.postgres, system);
  }
  refuseMissingDatabase(config);
  const unlock = claimDataFolder(config);
  return { database: openMigrated(config, system), unlock: async () => unlock() };
}

/**
 * Throws `OperatorError` if this user cannot write everything in the data folder. SQLite would fail only at the first
 * write, in the middle of a purchase. The usual case is a container whose volume was filled by root.
 */
export function refuseUnwritable(folder: string, file: string): void {
  for (const path of [folder, file, `${file}-wal`, `${file}-shm`, join(folder, lockFile)]) {
    if (!existsSync(path)) continue;
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new OperatorError(sentenceFor(path, error as NodeJS.ErrnoException));
    }
  }
}

/**
 * Throws `OperatorError` if this user may not enter the folder, or one above it: everything in it would seem to be
 * missing.
 */
export function refuseClosed(folder: string): void {
  const path = resolve(folder);
  const closed = [...parentsOf(path), path].find(isClosed);
  if (closed === undefined) return;
  const { uid, mode } = statSync(closed);
  const userId = process.getuid?.() ?? uid;
  const remedy = closed === path ? `: chown -R ${userId} ${path}; chmod u+rwx ${path}` : ".";
  throw new OperatorError(
    `DATA_DIR ${folder} cannot be entered. ${closed} belongs to ${nameOf(uid)}, its mode is ${(mode & 0o777).toString(8)}, and this runs as ${nameOf(userId)}${remedy}`,
  );
}

/** From the root on. */
function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...parentsOf(parent), parent];
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

function sentenceFor(path: string, { code }: NodeJS.ErrnoException): string {
  if (code === "EROFS") return `${path} is on a read-only file system.`;
  const { uid, mode } = statSync(path);
  const userId = process.getuid?.() ?? uid;
  if (uid === userId) {
    return `${path} belongs to ${nameOf(uid)}, as it should, but its mode ${(mode & 0o777).toString(8)} forbids writing: chmod u+rw ${path}`;
  }
  return `${path} belongs to ${nameOf(uid)}, and this runs as ${nameOf(userId)}, who may not write it: chown -R ${userId} ${path}`;
}

/** A user's name with its id. */
function nameOf(uid: number): string {
  const name = namesByUid().get(uid);
  return name ? `${name} (${uid})` : `the user ${uid}`;
}

function namesByUid(): Map<number, string> {
  try {
    const users = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
    return new Map(users.map(([name = "", , uid]) => [Number(uid), name]));
  } catch {
    // Without that file there are only numbers.
    return new Map();
  }
}
