import { Database as Connection } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { readConfig } from "../config.ts";
import { busyTimeoutMs } from "../database/connection.ts";
import { lockDataFolder } from "../database/lock.ts";
import { migrate as migrateFile, releasedMigrations } from "../database/migrations.ts";
import { restoreDatabase } from "../database/restore.ts";
import { copyDatabase } from "../database/snapshot.ts";
import { OperatorError } from "../operator-error.ts";
import type { Command } from "./command.ts";
import { databaseFile, makeDataFolder, refuseMissingDatabase } from "./data.ts";

export const migrate: Command = {
  usage: "migrate",
  summary: "Bring the database up to this version, after taking a copy of it",
  help: "`serve` does this by itself. The server must not be running.",
  async run(system) {
    const config = readConfig(system.environment);
    makeDataFolder(config.dataFolder);
    const unlock = lockDataFolder(config.dataFolder);
    try {
      const { applied, version, backupFile } = migrateFile(databaseFile(config), releasedMigrations(), system.now);
      if (backupFile) system.print(`The database as it was is kept in ${backupFile}`);
      system.print(
        applied.length > 0 ? `Applied ${applied.join(", ")}.` : `Nothing to do: the database is at ${version}.`,
      );
    } finally {
      unlock();
    }
  },
};

export const backup: Command = {
  usage: "backup <file>",
  summary: "Write a checked, consistent copy of the whole database",
  help: "The server may go on running. The file holds password hashes: keep it like the database itself.",
  operands: ["file"],
  async run(system, [file = ""]) {
    const config = readConfig(system.environment);
    refuseMissingDatabase(config);
    const connection = new Connection(databaseFile(config), { readwrite: true, create: false });
    try {
      connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      copyDatabase(connection, file);
      chmodSync(file, 0o600);
    } catch (error) {
      throw new OperatorError(`No backup was made: ${(error as Error).message}`);
    } finally {
      connection.close();
    }
    system.print(`Wrote ${file}, and checked it.`);
  },
};

export const restore: Command = {
  usage: "restore <file>",
  summary: "Put a backup in the place of the database",
  help: "The server must not be running. The old database is kept beside the new one; everybody signs in again.",
  operands: ["file"],
  async run(system, [file = ""]) {
    const config = readConfig(system.environment);
    makeDataFolder(config.dataFolder);
    const unlock = lockDataFolder(config.dataFolder);
    try {
      const kept = restoreDatabase(file, databaseFile(config), releasedMigrations(), system.now);
      system.print(`Restored ${file}.`);
      if (kept) system.print(`The database as it was is kept in ${kept}`);
    } finally {
      unlock();
    }
  },
};
