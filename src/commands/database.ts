import type { Config } from "../config/config.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import { makeDataFolder, openDatabase, openSqliteBesideServer, takeDataFolder } from "./data.ts";
import type { System } from "./terminal/command.ts";

/** A database that a server has begun to use. */
export interface TakenDatabase {
  database: Database;
  /** What only the first process does is done: others that wait to start may go on. */
  begun(): Promise<void>;
  /** Comes last, when the database is closed. */
  letGo(): Promise<void>;
}

/** The database for a server, brought up to this version first. Throws `OperatorError`. */
export async function takeDatabase(config: Config, system: System, metrics: Metrics): Promise<TakenDatabase> {
  if (config.postgres) {
    const { takePostgres } = await onPostgres();
    return { ...(await takePostgres(config.postgres, system, metrics)), letGo: async () => {} };
  }
  makeDataFolder(config.dataFolder);
  const unlock = takeDataFolder(config, system);
  const database = openDatabase(config, system, metrics);
  return { database, begun: async () => {}, letGo: async () => unlock() };
}

/** The database for a command that may work beside running servers, and makes none. Throws `OperatorError`. */
export async function openDatabaseBesideServer(config: Config, system: System): Promise<Database> {
  if (!config.postgres) return openSqliteBesideServer(config, system);
  const { openPostgresBesideServer } = await onPostgres();
  return openPostgresBesideServer(config.postgres, system);
}

/** Most run on SQLite, and their start loads no other engine. */
function onPostgres() {
  return import("./postgres-data.ts");
}
