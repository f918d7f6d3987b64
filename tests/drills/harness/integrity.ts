import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkDatabase } from "../../../src/db/copies/check.ts";
import { releasedMigrations } from "../../../src/db/migrate/migrations.ts";
import { temporaryFolder } from "../../process.ts";

/**
 * Holds that the database of a server that has ended, with the log beside it, is one that `restore` would take: whole, every constraint kept,
 * every balance the sum of its ledger, no key with more devices than it may have, every order what its keys and its price come to. It looks at a
 * copy, so that the next start finds what the last end left.
 */
export async function holdIntegrity(file: string): Promise<void> {
  const folder = temporaryFolder();
  try {
    const copy = join(folder, "copy.db");
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const connection = new Connection(copy);
    // Takes the log in, as the next start would, and stands alone then.
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
    assert.doesNotThrow(() => checkDatabase(copy, releasedMigrations()), "The database is damaged.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
