import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Config, secretCharactersMin } from "../config.ts";
import type { Database } from "../database/database.ts";
import { lockDataFolder } from "../database/lock.ts";
import { isBehind, migrate, releasedMigrations } from "../database/migrations.ts";
import { openSqlite } from "../database/sqlite.ts";
import { OperatorError } from "../operator-error.ts";
import type { System } from "./command.ts";

const secretBytes = 48;

export function databaseFile(config: Pick<Config, "dataFolder">): string {
  return join(config.dataFolder, "latchkey.db");
}

/** Makes the data folder when there is none, for this user's eyes only. Throws `OperatorError`. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${folder} cannot be made: ${(error as Error).message}`);
  }
}

/** The database of the data folder, brought up to this version first. The caller holds the folder's lock. */
export function openDatabase(config: Config, system: System): Database {
  makeDataFolder(config.dataFolder);
  const report = migrate(databaseFile(config), releasedMigrations(), system.now);
  if (report.backupFile) system.print(`The database as it was is kept in ${report.backupFile}`);
  if (report.applied.length > 0) system.print(`Migrated the database: ${report.applied.join(", ")}`);
  return openSqlite(databaseFile(config));
}

/**
 * The same for a command that may work beside a running server. Where the database has to be made or migrated first, no server may
 * run on it: throws `OperatorError`.
 */
export function openDatabaseBesideServer(config: Config, system: System): Database {
  if (!isBehind(databaseFile(config), releasedMigrations())) return openSqlite(databaseFile(config));
  makeDataFolder(config.dataFolder);
  const unlock = lockDataFolder(config.dataFolder);
  try {
    return openDatabase(config, system);
  } finally {
    unlock();
  }
}

/** A database that must be there already, for a command that makes none. Throws `OperatorError`. */
export function refuseMissingDatabase(config: Config): void {
  if (!existsSync(databaseFile(config))) {
    throw new OperatorError(`There is no database in ${config.dataFolder}. Set DATA_DIR, or start the server first.`);
  }
}

/** SECRET, or the one kept in the data folder; it is made at the first start, readable for this user only. */
export function secretFor(config: Config, system: System): string {
  if (config.secret !== null) return config.secret;
  const file = join(config.dataFolder, "secret");
  if (existsSync(file)) {
    const kept = readFileSync(file, "utf8").trim();
    if (kept.length >= secretCharactersMin) return kept;
    throw new OperatorError(`${file} is damaged. Remove it to make a new one; everybody has to sign in again then.`);
  }
  const secret = Buffer.from(system.randomBytes(new Uint8Array(secretBytes))).toString("base64url");
  const descriptor = openSync(file, "wx", 0o600);
  writeSync(descriptor, `${secret}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  return secret;
}

/** 20 characters that are easy to read aloud: no 0 and O, no 1 and l. */
export function randomPassword(system: System): string {
  const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const unbiasedByteMax = 256 - (256 % alphabet.length);
  let password = "";
  while (password.length < 20) {
    const [byte = 255] = system.randomBytes(new Uint8Array(1));
    if (byte < unbiasedByteMax) password += alphabet[byte % alphabet.length];
  }
  return password;
}
