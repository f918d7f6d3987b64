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
import type { Secrets } from "../accounts/sealed.ts";
import { type Config, weaknessOf } from "../config/config.ts";
import type { Metrics } from "../core/metrics.ts";
import { OperatorError } from "../core/operator-error.ts";
import { randomText } from "../core/random.ts";
import type { Database } from "../db/contract.ts";
import { removeOldReplaced, removeSecondName, replacedDaysMax } from "../db/copies/replaced.ts";
import { removeAbandoned } from "../db/copies/snapshot.ts";
import { lockDataFolder } from "../db/files.ts";
import { copyDaysMax, isBehind, type MigrationReport, migrate, releasedMigrations } from "../db/migrate/migrations.ts";
import { type KeysChanged, openSqlite, type SqliteOptions } from "../db/sqlite/sqlite.ts";
import type { System } from "./terminal/command.ts";

const secretBytes = 48;

export function databaseFile(config: Pick<Config, "dataFolder">): string {
  return join(config.dataFolder, "latchkey.db");
}

/** Where a secret is kept that nobody has set. */
export function keptSecretFile(config: Pick<Config, "dataFolder">): string {
  return join(config.dataFolder, "secret");
}

/** Makes the data folder when there is none, for this user's eyes only. Throws `OperatorError`. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${folder} cannot be made: ${(error as Error).message}`);
  }
}

/**
 * Takes the data folder for this process alone, removes what a killed one left half done and what was replaced long ago, and answers how
 * to let it go. Throws `OperatorError` where another process has it, or this one may not write there.
 */
export function takeDataFolder(config: Config, { now, print }: System): () => void {
  refuseUnwritable(config.dataFolder, databaseFile(config));
  const unlock = lockDataFolder(config.dataFolder);
  for (const each of [config.dataFolder, config.backups.folder]) if (existsSync(each)) removeAbandoned(each);
  removeSecondName(databaseFile(config));
  for (const old of removeOldReplaced(databaseFile(config), now())) {
    print(`Removed ${old}, a database that was replaced more than ${replacedDaysMax} days ago.`);
  }
  return unlock;
}

/** The database of the data folder, brought up to this version first. The caller holds the folder's lock. */
export function openDatabase(config: Config, system: System, options?: SqliteOptions): Database {
  sayMigrated(migrate(databaseFile(config), releasedMigrations(), system.now), config, system);
  return openSqlite(databaseFile(config), options);
}

/**
 * The same for a command that may work beside a running server, and makes no database: a mistyped DATA_DIR is not to be filled.
 * Where the database has to be migrated first, no server may run on it. Throws `OperatorError`.
 */
export function openSqliteBesideServer(config: Config, system: System): Database {
  refuseMissingDatabase(config);
  if (!isBehind(databaseFile(config), releasedMigrations())) return openSqlite(databaseFile(config));
  const unlock = takeDataFolder(config, system);
  try {
    return openDatabase(config, system);
  } finally {
    unlock();
  }
}

/** A database that must be there already, for a command that makes none. Throws `OperatorError`. */
export function refuseMissingDatabase(config: Config): void {
  if (existsSync(databaseFile(config))) return;
  const folder = resolve(config.dataFolder);
  throw new OperatorError(`There is no database in ${folder}. Set DATA_DIR; \`serve\` and \`migrate\` make a new one.`);
}

export function sayMigrated(report: MigrationReport, config: Config, { print }: System): void {
  if (report.isNew) print(`Made a new database in ${resolve(config.dataFolder)}`);
  else if (report.applied.length > 0) print(`Migrated the database: ${report.applied.join(", ")}`);
  if (report.backupFile) print(`The database as it was is kept in ${report.backupFile}`);
  for (const copy of report.removedCopies) print(`Removed ${copy}, an older copy of more than ${copyDaysMax} days.`);
}

export function secretsFor(config: Config, system: System): Secrets {
  return { current: secretFor(config, system), previous: config.previousSecret };
}

/** SECRET, or the one kept in the data folder; it is made at the first start, readable for this user only. */
function secretFor(config: Config, system: System): string {
  if (config.secret !== null) return config.secret;
  const file = keptSecretFile(config);
  if (existsSync(file)) {
    const kept = readFileSync(file, "utf8").trim();
    const problem = (statSync(file).mode & 0o077) !== 0 ? "may be read by others" : weaknessOf(kept);
    if (problem === null) return kept;
    throw new OperatorError(`${file} ${problem}. Remove it to make a new one; everybody has to sign in again then.`);
  }
  const secret = randomText(system.randomBytes, secretBytes);
  writePrivately(file, secret);
  return secret;
}

/** Makes a file that only this user reads, and that is on the disk when this answers. */
export function writePrivately(file: string, text: string): void {
  makeDataFolder(dirname(file));
  const descriptor = openSync(file, "wx", 0o600);
  writeSync(descriptor, `${text}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A database that a server has taken into use. */
export interface TakenDatabase {
  database: Database;
  /** Called once what only the first process does is done: other processes may start. */
  begun(): Promise<void>;
  /** Called last, after the database has closed. */
  letGo(): Promise<void>;
}

/** The database for a server, brought up to this version first. `keysChanged` evicts keys from the cache. Throws `OperatorError`. */
export async function takeDatabase(
  config: Config,
  system: System,
  metrics: Metrics,
  keysChanged: KeysChanged,
): Promise<TakenDatabase> {
  if (config.postgres) {
    const { takePostgres } = await onPostgres();
    return { ...(await takePostgres(config.postgres, system, metrics)), letGo: async () => {} };
  }
  makeDataFolder(config.dataFolder);
  const unlock = takeDataFolder(config, system);
  const database = openDatabase(config, system, { metrics, keysChanged });
  return { database, begun: async () => {}, letGo: async () => unlock() };
}

/** The database for a command that may work beside running servers, and makes none. Throws `OperatorError`. */
export async function openDatabaseBesideServer(config: Config, system: System): Promise<Database> {
  if (!config.postgres) return openSqliteBesideServer(config, system);
  const { openPostgresBesideServer } = await onPostgres();
  return openPostgresBesideServer(config.postgres, system);
}

/** Most servers run on SQLite, and their start loads no other engine. */
function onPostgres() {
  return import("./postgres-data.ts");
}

/**
 * Refuses a data folder in which this user cannot write everything: SQLite would say so at the first write, in the middle of somebody's
 * purchase. A container whose volume root has filled is the usual case. Throws `OperatorError`.
 */
export function refuseUnwritable(folder: string, file: string): void {
  for (const path of [folder, file, `${file}-wal`, `${file}-shm`]) {
    if (!existsSync(path)) continue;
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new OperatorError(sentenceFor(path, error as NodeJS.ErrnoException));
    }
  }
}

function sentenceFor(path: string, { code }: NodeJS.ErrnoException): string {
  if (code === "EROFS") return `${path} is on a file system that nobody may write.`;
  const { uid, mode } = statSync(path);
  const us = process.getuid?.() ?? uid;
  if (uid === us) {
    return `${path} belongs to ${nameOf(uid)}, as it should, but its mode ${(mode & 0o777).toString(8)} forbids writing: chmod u+rw ${path}`;
  }
  return `${path} belongs to ${nameOf(uid)}, and this runs as ${nameOf(us)}, who may not write it: chown -R ${us} ${path}`;
}

/** As people know it, with the number that the system goes by. */
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
    // A system without that file knows numbers alone.
    return new Map();
  }
}
