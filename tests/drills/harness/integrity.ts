import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkDatabase } from "../../../src/db/copies/check.ts";
import { releasedMigrations } from "../../../src/db/migrate/migrations.ts";
import { temporaryFolder } from "../../process.ts";

/**
 * Asserts that `restore` would accept the database of a stopped server: constraints hold, every balance is the sum of
 * its ledger, no key has more devices than its limit, and every order matches its keys and price. Checks a copy, so
 * that the next start finds the files as the server left them.
 */
export async function assertIntegrity(file: string): Promise<void> {
  const folder = temporaryFolder();
  try {
    const copy = join(folder, "copy.db");
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const connection = new Connection(copy);
    // Merges the write-ahead log, as the next start would, so that the copy is a single file.
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
    assert.doesNotThrow(() => checkDatabase(copy, releasedMigrations()), "The database is damaged.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
