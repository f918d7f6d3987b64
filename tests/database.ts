import { readFileSync, writeFileSync } from "node:fs";
import { SQL } from "bun";
import type { Database } from "../src/db/contract.ts";
import { migrate, releasedMigrations } from "../src/db/migrate/migrations.ts";
import { migratePostgres, postgresMigrations } from "../src/db/migrate/postgres-migrations.ts";
import { openPostgres } from "../src/db/postgres/postgres.ts";
import { type KeysChanged, openSqlite } from "../src/db/sqlite/sqlite.ts";

/** A PostgreSQL server on which tests may create databases. Without it they run on SQLite. */
export const testServer = process.env.LATCHKEY_TEST_POSTGRES ?? null;

/** The time at which tests begin: 5 March 2025, 14:30 UTC. */
export const testsBeginAt = Date.parse("2025-03-05T14:30:00.000Z");

const connectionsOfTest = 4;
const clients = new Map<string, Bun.SQL>();

/** An empty database with the schema: the SQLite file, or a new database on the PostgreSQL server. */
export async function openTestDatabase(file: string, keysChanged: KeysChanged = () => {}): Promise<Database> {
  if (!testServer) {
    writeMigratedFile(file);
    return openSqlite(file, { keysChanged });
  }
  const { url, drop } = await makePostgresDatabase(testServer);
  const database = openPostgres(
    { url, listenUrl: url, poolSize: connectionsOfTest },
    { randomBytes: (bytes) => crypto.getRandomValues(bytes) },
  );
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

let migrated: Buffer | null = null;

/** Writes an empty SQLite file with the schema. The first is copied, because migrating takes longer than most tests. */
export function writeMigratedFile(file: string): void {
  if (migrated) writeFileSync(file, migrated);
  else {
    migrate(file, releasedMigrations(), () => testsBeginAt);
    migrated = readFileSync(file);
  }
}

/** Creates a PostgreSQL database that has the schema or is completely empty. The schema is copied from a template. */
export async function makePostgresDatabase(
  server: string,
  { isEmpty = false } = {},
): Promise<{ url: string; drop: () => Promise<void> }> {
  const admin = clients.get(server) ?? new SQL(server, { max: 1 });
  clients.set(server, admin);
  const template = isEmpty ? "template1" : await templateOn(admin, server);
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: addressOf(server, name),
    drop: async () => void (await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** Creates the template once, even if several test processes need it. */
async function templateOn(admin: Bun.SQL, server: string): Promise<string> {
  const hash = Bun.hash(
    postgresMigrations()
      .map(({ checksum }) => checksum)
      .join(""),
  );
  const name = `template_${hash.toString(36)}`;
  const isThere = async () => (await admin.unsafe("SELECT 1 FROM pg_database WHERE datname = $1", [name])).length > 0;
  if (await isThere()) return name;
  await admin.unsafe("SELECT pg_advisory_lock(1)");
  if (!(await isThere())) {
    const unfinished = `${name}_${process.pid}`;
    await admin.unsafe(`CREATE DATABASE ${unfinished}`);
    await migratePostgres(addressOf(server, unfinished), () => testsBeginAt);
    await admin.unsafe(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  }
  await admin.unsafe("SELECT pg_advisory_unlock(1)");
  return name;
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
