import { Database as Connection } from "bun:sqlite";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase } from "../src/db/copies/snapshot.ts";
import { releasedMigrations } from "../src/db/migrate/migrations.ts";
import { writeMigratedFile } from "./database.ts";
import { temporaryFolder } from "./process.ts";

/** A hash that no password matches. */
export const passwordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$dR7kLo/YCWJFKZlD5nT0HlfVCEtUxClxL3zTAycZ+ds$uXco8kztTH5cCTFg/PG5jEB9eoocuGVTsLsQR2WIYeQ";

/**
 * A folder with a live database that has the admins `yesterday` and `today`, and a backup that has only `yesterday`.
 */
export interface BackupStage {
  folder: string;
  live: string;
  backup: string;
  now: () => number;
  /** Writes a copy of the backup that is changed by SQL. */
  prepared: (name: string, sql: string) => string;
  close: () => void;
}

export function openBackupStage(): BackupStage {
  const folder = temporaryFolder();
  const live = join(folder, "latchkey.db");
  const backup = join(folder, "backup.db");
  let clock = 0;
  const now = () => (clock += 1);
  made ??= makeFiles(live, backup);
  writeFileSync(live, made.live);
  writeFileSync(backup, made.backup);
  return {
    folder,
    live,
    backup,
    now,
    prepared(name, sql) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(backup));
      withDatabase(file, (connection) => connection.run(sql));
      return file;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every stage has the files of the first one, because a backup is checked, which takes longer than most tests. */
let made: ReturnType<typeof makeFiles> | null = null;

function makeFiles(live: string, backup: string) {
  writeMigratedFile(live);
  addAdmin(live, "yesterday");
  withDatabase(live, (connection) => copyDatabase(connection, backup, releasedMigrations()));
  addAdmin(live, "today");
  return { live: readFileSync(live), backup: readFileSync(backup) };
}

export function withDatabase<Result>(file: string, work: (connection: Connection) => Result): Result {
  const connection = new Connection(file, { readwrite: true, create: true });
  try {
    return work(connection);
  } finally {
    connection.close(true);
  }
}

export function addAdmin(file: string, username: string): void {
  withDatabase(file, (connection) => {
    const insert =
      "INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', ?, ?, 1) RETURNING id";
    const { id } = connection.query(insert).get(username, passwordHash) as { id: number };
    const session = "INSERT INTO sessions (secret, account_id, created_at, last_seen_at) VALUES (?, ?, 1, 1)";
    connection.run(session, [username, id]);
  });
}

export function usernamesIn(file: string): unknown[] {
  return withDatabase(file, (connection) =>
    connection.query("SELECT username FROM accounts ORDER BY id").values().flat(),
  );
}
