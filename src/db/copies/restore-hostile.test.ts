import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupStage, openBackupStage, withDatabase } from "../../../tests/backup-stage.ts";
import { brokenFiles, otherContents, otherSchemas } from "../../../tests/hostile-backups.ts";
import { releasedMigrations } from "../migrate/migrations.ts";
import { copyBackup } from "./read-backup.ts";
import { restoreDatabase } from "./restore.ts";
import { copyDatabase } from "./snapshot.ts";

let stage: BackupStage;
beforeEach(() => {
  stage = openBackupStage();
});
afterEach(() => stage.close());

/**
 * Asserts that restoring the file fails with this message, leaves the live database unchanged and leaves no files
 * behind.
 */
async function expectRefused(file: string, sentence: string): Promise<void> {
  const before = readFileSync(stage.live);
  const names = readdirSync(stage.folder).sort();
  const restored = restoreDatabase({
    name: "backup.db",
    source: file,
    file: stage.live,
    migrations: releasedMigrations(),
    now: stage.now,
  });
  const said = await restored.then(
    () => "nothing: it was restored",
    (error) => `${error.name}: ${error.message}`,
  );
  expect(said).toStartWith("OperatorError: ");
  expect(said).toContain(sentence);
  expect(readFileSync(stage.live).equals(before)).toBe(true);
  expect(readdirSync(stage.folder).sort()).toEqual(names);
}

describe("a file that is not an intact Latchkey database is refused:", () => {
  test.each(brokenFiles)("%s", async (_what, sentence, make) => {
    const file = join(stage.folder, "bad.db");
    make(file, stage);
    await expectRefused(file, sentence);
  });
});

test("a stream that does not begin like a database is read no further", async () => {
  for (const start of [Buffer.alloc(100, "text"), Bun.zstdCompressSync(Buffer.alloc(2 ** 20, "text"))]) {
    let pieces = 0;
    async function* long() {
      while (pieces < 100) {
        pieces += 1;
        yield pieces === 1 ? start : Buffer.alloc(2 ** 20);
      }
    }
    const copy = join(stage.folder, "copy.db");
    await expect(copyBackup(long(), copy)).rejects.toThrow("The file is not a Latchkey database.");
    expect(pieces).toBeLessThan(10);
    rmSync(copy);
  }
});

describe("a different schema is refused:", () => {
  test.each(otherSchemas)("%s", async (_what, sql, sentence) => {
    await expectRefused(stage.prepared("bad.db", sql), sentence);
  });

  test.each([
    ["a trigger", "CREATE TRIGGER sqliteXstat1 AFTER INSERT ON accounts BEGIN SELECT 1; END"],
    ["a view", "CREATE VIEW sqliteXstat1 AS SELECT 1"],
    ["a table with other columns", "CREATE TABLE sqliteXstat1 (tbl, idx, stat, more)"],
  ])("%s with the exact name of a statistics table", async (_what, sql) => {
    const file = stage.prepared("bad.db", sql);
    // SQLite reserves that name, so it is written directly into the file.
    writeFileSync(file, Buffer.from(readFileSync(file, "latin1").replaceAll("sqliteXstat1", "sqlite_stat1"), "latin1"));
    await expectRefused(file, "The database ");
  });

  test("texts in another encoding", async () => {
    const file = join(stage.folder, "bad.db");
    withDatabase(stage.backup, (ours) =>
      withDatabase(file, (theirs) => {
        theirs.run("PRAGMA encoding = 'UTF-16le'; PRAGMA application_id = 0x4c4b4559");
        const made = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'";
        for (const [statement] of ours.query<unknown, []>(made).values()) theirs.run(statement as string);
        for (const row of ours.query("SELECT * FROM schema_migrations").values()) {
          theirs.run("INSERT INTO schema_migrations VALUES (?, ?, ?, ?)", row as string[]);
        }
      }),
    );
    await expectRefused(file, "an encoding other than UTF-8");
  });
});

describe("invalid content is refused:", () => {
  test.each(otherContents)("%s", async (_what, sql, sentence) => {
    await expectRefused(stage.prepared("bad.db", sql), sentence);
  });
});

describe("a journal next to the backup is never silently ignored:", () => {
  test("one that would roll back an unfinished change is left to sqlite3", async () => {
    writeFileSync(`${stage.backup}-journal`, "any");
    await expectRefused(stage.backup, "from an unfinished change");
  });

  test("an unreadable one is refused", async () => {
    writeFileSync(`${stage.backup}-wal`, Buffer.alloc(9_000, 7));
    await expectRefused(stage.backup, "next to it cannot be read");
  });

  test("one that was just reset when the server was killed is distinguished from a damaged one", async () => {
    const backup = join(stage.folder, "killed.db");
    withDatabase(stage.backup, (connection) => {
      connection.run("PRAGMA journal_mode = WAL");
      connection.run("UPDATE accounts SET username = 'in.both'");
      connection.run("PRAGMA wal_checkpoint(PASSIVE)");
      for (const suffix of ["", "-wal"]) copyFileSync(stage.backup + suffix, backup + suffix);
    });
    restartLog(`${backup}-wal`);
    await expectRefused(backup, "it had just been restarted when the server was killed");
  });

  test("one that is not a file is refused", async () => {
    Bun.spawnSync(["mkfifo", `${stage.backup}-wal`]);
    await expectRefused(stage.backup, "is not a file");
  });
});

/** Writes the header that SQLite writes when it resets a checkpointed log: the next salt and its checksum. */
function restartLog(wal: string): void {
  const bytes = readFileSync(wal);
  bytes.writeUInt32BE((bytes.readUInt32BE(16) + 1) >>> 0, 16);
  bytes.writeUInt32BE(0x5eed, 20);
  const isBigEndian = bytes.readUInt32BE(0) === 0x377f0683;
  const sums = [0, 0] as [number, number];
  for (let at = 0; at < 24; at += 8) {
    const word = (from: number) => (isBigEndian ? bytes.readUInt32BE(from) : bytes.readUInt32LE(from));
    sums[0] = (sums[0] + word(at) + sums[1]) >>> 0;
    sums[1] = (sums[1] + word(at + 4) + sums[0]) >>> 0;
  }
  bytes.writeUInt32BE(sums[0], 24);
  bytes.writeUInt32BE(sums[1], 28);
  writeFileSync(wal, bytes);
}

describe("a copy gets its final name only if it could be restored:", () => {
  test.each([
    ["an extra index", "CREATE INDEX extra ON accounts (created_at)", "has the index extra, which is not ours"],
    ["a time beyond the calendar", `UPDATE accounts SET created_at = ${Number.MAX_SAFE_INTEGER}`, "out of bounds"],
    ["an unknown role", "PRAGMA ignore_check_constraints = ON; UPDATE accounts SET role = 'superuser'", "accounts"],
  ])("%s", (_what, sql, sentence) => {
    const copy = join(stage.folder, "copy.db");
    withDatabase(stage.live, (connection) => {
      connection.run(sql);
      expect(() => copyDatabase(connection, copy, releasedMigrations())).toThrow(sentence);
    });
    expect(readdirSync(stage.folder).filter((name) => name.startsWith("copy") || name.startsWith("."))).toEqual([]);
  });
});
