import type { Config } from "../config/config.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import type { KeysChanged } from "../db/sqlite/sqlite.ts";
import { makeDataFolder, openDatabase, openSqliteBesideServer, takeDataFolder } from "./data.ts";
import type { System } from "./terminal/command.ts";

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
