import { Database as Connection } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resourcePath } from "../files.ts";
import { OperatorError } from "../operator-error.ts";
import { busyTimeoutMs } from "./connection.ts";
import { copyDatabase } from "./snapshot.ts";

/** Marks a file as ours ("LKEY"), so that `restore` can tell a foreign SQLite database. */
export const applicationId = 0x4c4b4559;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

/** What `migrate` found and did. `backupFile` is the copy taken before anything was applied to a database with data. */
export interface MigrationReport {
  applied: string[];
  version: number;
  backupFile: string | null;
}

export function releasedMigrations(folder = resourcePath("migrations")): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), "utf8");
      const checksum = new Bun.CryptoHasher("sha256").update(sql).digest("hex");
      return { version: Number(file.slice(0, 4)), name: file.slice(0, -".sql".length), sql, checksum };
    });
}

/**
 * Brings the database file up to this version, creating it when there is none. Forward only: every migration runs once,
 * in a transaction of its own, and what was applied before must be what we know. Throws `OperatorError`.
 */
export function migrate(file: string, migrations: Migration[], now: () => number): MigrationReport {
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    claim(connection);
    connection.run("PRAGMA journal_mode = WAL");
    const [first] = missingMigrations(connection, migrations);
    const backupFile = first && first !== migrations[0] ? `${file}.before-${first.name}.${now()}` : null;
    if (backupFile) copyDatabase(connection, backupFile);
    return { applied: applyMissing(connection, migrations, now), version: migrations.at(-1)?.version ?? 0, backupFile };
  } finally {
    connection.close();
  }
}

/** Whether `migrate` would make the file or change it. Only reads, so a server may be at work on it. Throws `OperatorError`. */
export function isBehind(file: string, migrations: Migration[]): boolean {
  if (!existsSync(file)) return true;
  const connection = new Connection(file, { readwrite: true, create: false });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const isMarked = connection.query("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== null;
    return !isMarked || notApplied(appliedMigrations(connection), migrations).length > 0;
  } finally {
    connection.close();
  }
}

/** Applies to an open database what it lacks, and answers the names. Throws `OperatorError`. */
export function applyMissing(connection: Connection, migrations: Migration[], now: () => number): string[] {
  const missing = missingMigrations(connection, migrations);
  for (const migration of missing) apply(connection, migration, now());
  return missing.map((migration) => migration.name);
}

/** Makes an empty file ours. Throws `OperatorError` for a database that some other program made. */
function claim(connection: Connection): void {
  const owner = connection.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
  if (owner === applicationId) return;
  const tables = connection.query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  if (tables !== 0) throw new OperatorError("The file is not a database of Latchkey.");
  connection.run(`PRAGMA application_id = ${applicationId}`);
}

function missingMigrations(connection: Connection, migrations: Migration[]): Migration[] {
  connection.run(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`,
  );
  return notApplied(appliedMigrations(connection), migrations);
}

/** The migrations that a database lacks. Throws where it holds one that we do not know, or know otherwise. */
function notApplied(applied: Omit<Migration, "sql">[], migrations: Migration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const known = migrations.find((migration) => migration.version === version);
    if (!known) {
      throw new OperatorError(
        `The database was made by a newer Latchkey (it has migration ${name}). Use that version.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new OperatorError(
        `Migration ${name} is not the one that this database was made with. Nothing was changed.`,
      );
    }
  }
  return migrations.filter((migration) => !applied.some(({ version }) => version === migration.version));
}

function appliedMigrations(connection: Connection): Omit<Migration, "sql">[] {
  return connection
    .query<Omit<Migration, "sql">, []>("SELECT version, name, checksum FROM schema_migrations ORDER BY version")
    .all();
}

function apply(connection: Connection, migration: Migration, appliedAt: number): void {
  connection.transaction(() => {
    connection.run(migration.sql);
    connection.run("INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)", [
      migration.version,
      migration.name,
      migration.checksum,
      appliedAt,
    ]);
  })();
}
