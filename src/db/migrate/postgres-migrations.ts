import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resourcePath } from "../../config/program.ts";
import { OperatorError } from "../../core/operator-error.ts";
import { withConnection } from "../postgres/postgres-connection.ts";
import {
  type AppliedMigration,
  foldTextsInPostgres,
  type Migration,
  missingOf,
  noticeBefore,
} from "./applied-migrations.ts";
import { releasedMigrations } from "./migrations.ts";

const table = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, checksum TEXT COLLATE "C" NOT NULL, applied_at BIGINT NOT NULL)`;

/** The same history as `releasedMigrations`, with a PostgreSQL file for each migration. */
export function postgresMigrations(folder = resourcePath("migrations")): Migration[] {
  return releasedMigrations(folder).map(({ version, name }) => {
    const file = join(folder, `${name}.postgres.sql`);
    if (!existsSync(file)) throw new Error(`Migration ${name} has no PostgreSQL file.`);
    const sql = readFileSync(file, "utf8");
    return { version, name, sql, checksum: new Bun.CryptoHasher("sha256").update(sql).digest("hex") };
  });
}

/**
 * Migrates the database to this version. The caller holds the start lock. `isNew` means that it was empty. Throws
 * `OperatorError`.
 */
export function migratePostgres(
  url: string,
  now: () => number,
  migrations = postgresMigrations(),
  announce: (notice: string) => void = () => {},
) {
  return withConnection(url, async (connection) => {
    const applied = await appliedTo(connection);
    if (applied === null) await begin(connection);
    const missing = missingOf(applied ?? [], migrations);
    const notice = applied === null ? null : noticeBefore(missing, await keysIn(connection), "postgres");
    if (notice) announce(notice);
    for (const migration of missing) await apply(connection, migration, now());
    const version = migrations.at(-1)?.version ?? 0;
    return { applied: missing.map(({ name }) => name), version, isNew: applied === null };
  });
}

async function keysIn(connection: Bun.ReservedSQL): Promise<number> {
  const [row]: { keys: bigint }[] = await connection.unsafe("SELECT count(*) AS keys FROM license_keys");
  return Number(row?.keys ?? 0);
}

/** Whether the database is new, or `migratePostgres` would change it. Only reads. Throws `OperatorError`. */
export function stateOfPostgres(url: string): Promise<"new" | "behind" | "ready"> {
  return withConnection(url, async (connection) => {
    const applied = await appliedTo(connection);
    if (applied === null) return "new";
    return missingOf(applied, postgresMigrations()).length > 0 ? "behind" : "ready";
  });
}

/** Returns null for an empty database. Throws `OperatorError` for another program's database. */
async function appliedTo(connection: Bun.ReservedSQL): Promise<AppliedMigration[] | null> {
  const tables: { name: string }[] = await connection.unsafe(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
  );
  if (tables.length === 0) return null;
  if (!tables.some(({ name }) => name === "schema_migrations")) {
    throw new OperatorError(
      "The database of DATABASE_URL contains another program's tables. Create one for Latchkey alone.",
    );
  }
  const rows: (Omit<AppliedMigration, "version"> & { version: bigint })[] = await connection.unsafe(
    "SELECT version, name, checksum FROM schema_migrations ORDER BY version",
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** Creates all tables of an empty database in the caller's transaction. Throws `OperatorError` if it is not empty. */
export async function makeTables(connection: Bun.ReservedSQL, at: number): Promise<void> {
  if ((await appliedTo(connection)) !== null) throw new OperatorError("The database is not empty.");
  await begin(connection);
  for (const migration of postgresMigrations()) await carryOut(connection, migration, at);
}

/** Since PostgreSQL 15 only the owner of a database may create tables in its schema public. */
async function begin(connection: Bun.ReservedSQL): Promise<void> {
  await connection.unsafe(table).catch((error: Error) => {
    throw new OperatorError(
      `The tables cannot be created: ${error.message}. The schema must exist, and the user should own the database.`,
    );
  });
}

async function apply(connection: Bun.ReservedSQL, migration: Migration, at: number) {
  const { name } = migration;
  try {
    // A table with pending deferred constraints cannot be altered.
    await connection.unsafe("BEGIN; SET CONSTRAINTS ALL IMMEDIATE");
    await carryOut(connection, migration, at);
    await connection.unsafe("COMMIT");
  } catch (error) {
    await connection.unsafe("ROLLBACK").catch(() => {});
    throw new OperatorError(`Migration ${name} failed and changed nothing: ${(error as Error).message}.`);
  }
}

async function carryOut(connection: Bun.ReservedSQL, { version, name, sql, checksum }: Migration, at: number) {
  await connection.unsafe(sql);
  await foldTextsInPostgres(connection, version);
  await connection.unsafe(
    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)",
    [version, name, checksum, at],
  );
}
