import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Secrets } from "../accounts/sealed.ts";
import { type Config, weaknessOf } from "../config/config.ts";
import { OperatorError } from "../core/operator-error.ts";
import { randomText } from "../core/random.ts";
import type { Database } from "../db/contract.ts";
import { removeOldReplaced, removeSecondName, replacedDaysMax } from "../db/copies/replaced.ts";
import { removeAbandoned } from "../db/copies/snapshot.ts";
import { lockDataFolder } from "../db/files.ts";
import { copyDaysMax, isBehind, type MigrationReport, migrate, releasedMigrations } from "../db/migrate/migrations.ts";
import { openSqlite, type SqliteOptions } from "../db/sqlite/sqlite.ts";
import { refuseUnwritable } from "./ownership.ts";
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
