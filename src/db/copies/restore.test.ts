import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { addAdmin, type BackupStage, openBackupStage, usernamesIn, withDatabase } from "../../../tests/backup-stage.ts";
import { isBehind, releasedMigrations } from "../migrate/migrations.ts";
import type { BackupSource } from "./read-backup.ts";
import { restoreDatabase } from "./restore.ts";

let stage: BackupStage;
beforeEach(() => {
  stage = openBackupStage();
});
afterEach(() => stage.close());

const restore = (source: BackupSource, file = stage.live) =>
  restoreDatabase({ source, name: "backup.db", file, migrations: releasedMigrations(), now: stage.now });

test("a backup replaces the database, which is kept, and ends all sessions", async () => {
  const { kept } = await restore(stage.backup);
  expect(usernamesIn(stage.live)).toEqual(["yesterday"]);
  expect(usernamesIn(kept as string)).toEqual(["yesterday", "today"]);
  expect(withDatabase(stage.live, (connection) => connection.query("SELECT * FROM sessions").all())).toEqual([]);
  expect(readdirSync(stage.folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("a backup of an older version is migrated", async () => {
  const next = { version: 9_999, name: "9999_next", sql: "CREATE TABLE later (id INTEGER) STRICT", checksum: "next" };
  const migrations = [...releasedMigrations(), next];
  await restoreDatabase({ source: stage.backup, name: "backup.db", file: stage.live, migrations, now: stage.now });
  expect(isBehind(stage.live, migrations)).toBe(false);
  expect(usernamesIn(stage.live)).toEqual(["yesterday"]);
});

test("a backup can be restored without an existing database", async () => {
  const file = join(stage.folder, "fresh.db");
  expect(await restore(stage.backup, file)).toMatchObject({ kept: null });
  expect(usernamesIn(file)).toEqual(["yesterday"]);
});

test("a database too damaged to open is replaced, and kept unchanged with its journal", async () => {
  writeFileSync(stage.live, "ruins");
  writeFileSync(`${stage.live}-wal`, "more ruins");
  const { kept } = await restore(stage.backup);
  expect(usernamesIn(stage.live)).toEqual(["yesterday"]);
  expect(readFileSync(kept as string, "utf8")).toBe("ruins");
  expect(readFileSync(`${kept}-wal`, "utf8")).toBe("more ruins");
});

test("the restored database has the owner and mode of the replaced one", async () => {
  // Only root can change a file's owner; otherwise the owner stays the same.
  const owner = process.getuid?.() === 0 ? 10_001 : (process.getuid?.() ?? 0);
  if (owner === 10_001) chownSync(stage.live, owner, owner);
  chmodSync(stage.live, 0o640);
  await restore(stage.backup);
  expect([statSync(stage.live).uid, statSync(stage.live).mode & 0o777]).toEqual([owner, 0o640]);
});

test("without an existing database, it belongs to the folder's owner and only that user can read it", async () => {
  const folder = join(stage.folder, "data");
  mkdirSync(folder);
  const owner = process.getuid?.() === 0 ? 10_001 : (process.getuid?.() ?? 0);
  if (owner === 10_001) chownSync(folder, owner, owner);
  chmodSync(stage.backup, 0o644);
  await restore(stage.backup, join(folder, "latchkey.db"));
  const { uid, mode } = statSync(join(folder, "latchkey.db"));
  expect([uid, mode & 0o777]).toEqual([owner, 0o600]);
});

describe("a restored database is complete", () => {
  test("from a stream", async () => {
    await restore(createReadStream(stage.backup));
    expect(usernamesIn(stage.live)).toEqual(["yesterday"]);
  });

  test("from a link to the backup", async () => {
    const link = join(stage.folder, "link.db");
    symlinkSync(stage.backup, link);
    await restore(link);
    expect(usernamesIn(stage.live)).toEqual(["yesterday"]);
  });

  test.each([512, 65_536])("from pages of %d bytes", async (bytes) => {
    await restore(stage.prepared("paged.db", `PRAGMA page_size = ${bytes}; VACUUM`));
    addAdmin(stage.live, "tomorrow");
    expect(usernamesIn(stage.live)).toEqual(["yesterday", "tomorrow"]);
  });

  test("from a file with trailing data", async () => {
    appendFileSync(stage.backup, Buffer.alloc(10_000, "x"));
    await restore(stage.backup);
    // Enough rows that the database grows over the trailing data.
    const message = "'x' || hex(zeroblob(200))";
    const grown = withDatabase(stage.live, (connection) => {
      connection.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO online_updates (title, message, is_active, created_at, updated_at) SELECT i, ${message}, 1, 1, 1 FROM n`);
      return connection.query("PRAGMA integrity_check").values();
    });
    expect(grown).toEqual([["ok"]]);
  });

  test("from a file with a -wal, also through a link", async () => {
    const copy = join(stage.folder, "copy.db");
    withDatabase(stage.backup, (connection) => {
      connection.run("PRAGMA journal_mode = WAL");
      connection.run("UPDATE accounts SET username = 'from.the.journal'");
      for (const suffix of ["", "-wal"]) copyFileSync(stage.backup + suffix, copy + suffix);
    });
    mkdirSync(join(stage.folder, "elsewhere"));
    const link = join(stage.folder, "elsewhere/link.db");
    symlinkSync(copy, link);
    const journal = readFileSync(`${copy}-wal`);
    for (const source of [copy, link]) {
      expect(await restore(source)).toMatchObject({ wal: `${copy}-wal` });
      expect(usernamesIn(stage.live)).toEqual(["from.the.journal"]);
    }
    expect(readFileSync(`${copy}-wal`).equals(journal)).toBe(true);
  });
});

test("statistics in the backup are rebuilt", async () => {
  const lies = "INSERT INTO sqlite_stat1 VALUES ('accounts', 'accounts_username', '1000000 1000000')";
  await restore(stage.prepared("lies.db", `ANALYZE; ${lies}`));
  const statistics = withDatabase(stage.live, (connection) =>
    connection.query("SELECT stat FROM sqlite_stat1").values().flat(),
  );
  expect(statistics).toContain("1 1");
  expect(statistics).not.toContain("1000000 1000000");
});
