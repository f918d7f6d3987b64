import type { Config } from "../config/config.ts";
import type { Metrics } from "../core/metrics.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import type { Database } from "../db/contract.ts";
import { checkPostgres } from "../db/copies/content-rules.ts";
import { migratePostgres, postgresMigrations, stateOfPostgres } from "../db/migrate/postgres-migrations.ts";
import { openPostgres, type PostgresAddress } from "../db/postgres/postgres.ts";
import { withConnection } from "../db/postgres/postgres-connection.ts";
import { holdLock } from "../db/postgres/postgres-locks.ts";
import { refuseUnfitServer } from "../db/postgres/postgres-server.ts";
import type { System } from "./terminal/command.ts";

/** Processes start one at a time: each migrates, makes the first admin and fills an empty database. */
const startLock = "start";

/** Opens the database for a server, once no other process is starting. Throws `OperatorError`. */
export async function openServerPostgres(address: PostgresAddress, system: System, metrics: Metrics) {
  await refuseUnfitServer(address);
  const begun = await holdStart(address.listenUrl);
  await migrateAndPrint(address, system);
  return { database: openPostgres(address, { ...system, metrics }), begun };
}

/** Migrates the database and prints what was done. Throws `OperatorError`. */
export async function migrateOnPostgres(address: PostgresAddress, system: System): Promise<void> {
  await refuseUnfitServer(address);
  const release = await holdStart(address.listenUrl);
  const { applied, version } = await migrateAndPrint(address, system);
  await release();
  if (applied.length === 0) system.print(`Nothing to do: the database is at ${version}.`);
}

/**
 * Opens the database for a command that may run at the same time as servers, without creating or migrating tables.
 * Throws `OperatorError`.
 */
export async function openSharedPostgres(address: PostgresAddress, system: System): Promise<Database> {
  await refuseUnready(address);
  return openPostgres(address, system);
}

/**
 * Opens the database for a command during which no server may run: none can start until `unlock`. Throws
 * `OperatorError` if another program is connected.
 */
export async function openExclusivePostgres(address: PostgresAddress, system: System) {
  const unlock = await holdStopped(address);
  return { database: openPostgres(address, system), unlock };
}

/** The same without opening it. Returns how to let servers start again. */
export async function holdStopped(address: PostgresAddress): Promise<() => Promise<void>> {
  await refuseUnready(address);
  const unlock = await holdStart(address.listenUrl);
  try {
    await refuseConnected(address);
    return unlock;
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Every server has connections, even an idle one. The connection of the start lock is our own. */
async function refuseConnected({ listenUrl }: PostgresAddress): Promise<void> {
  const [others] = await withConnection(
    listenUrl,
    (connection): Promise<{ count: bigint }[]> =>
      connection.unsafe(`SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`),
  );
  if (!others?.count) return;
  throw new OperatorError(
    `${others.count} other connections to the database are open. Stop the servers, and close other programs that use it.`,
  );
}

/** Checks balances, orders and counts. Throws `OperatorError`. */
export async function checkOnPostgres(address: PostgresAddress): Promise<void> {
  await refuseUnready(address);
  await withConnection(address.listenUrl, checkPostgres);
}

/** For a command that needs the embedded database. Throws `OperatorError` on PostgreSQL. */
export function refusePostgres({ postgres }: Config, instead: string): void {
  if (postgres) throw new OperatorError(`The database is PostgreSQL: ${instead}`, exitCodes.wrongUsage);
}

async function refuseUnready(address: PostgresAddress): Promise<void> {
  await refuseUnfitServer(address);
  const state = await stateOfPostgres(address.listenUrl);
  if (state === "new") throw new OperatorError("The database is empty. `serve` or `migrate` creates its tables.");
  if (state === "behind")
    throw new OperatorError("The database has an older version. `serve` or `migrate` upgrades it.");
}

/** Waits for the start lock. While it is held, no server starts on this database. Returns how to release it. */
export function holdStart(listenUrl: string): Promise<() => Promise<void>> {
  return holdLock(listenUrl, startLock);
}

async function migrateAndPrint({ listenUrl }: PostgresAddress, { now, print }: System) {
  const report = await migratePostgres(listenUrl, now, postgresMigrations(), print);
  if (report.isNew) print("Created the tables of a new database.");
  else if (report.applied.length > 0) print(`Migrated the database: ${report.applied.join(", ")}`);
  return report;
}
