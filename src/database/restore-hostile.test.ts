import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupStage, openBackupStage, withDatabase } from "../../tests/backup-stage.ts";
import { releasedMigrations } from "./migrations.ts";
import { restoreDatabase } from "./restore.ts";
import { copyDatabase } from "./snapshot.ts";

let stage: BackupStage;
beforeEach(() => {
  stage = openBackupStage();
});
afterEach(() => stage.close());

/** Restores the file, and holds that it was refused with this sentence, the live database untouched and nothing left behind. */
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

describe("what is no whole database of ours is refused", () => {
  const bad: [string, string, (file: string) => void][] = [
    ["a file that is not there", "There is no file", () => {}],
    ["a link to nothing", "There is no file", (file) => symlinkSync("/nowhere/at/all", file)],
    ["a link to itself", "cannot be read", (file) => symlinkSync(file, file)],
    ["a folder", "is not a file", (file) => mkdirSync(file)],
    ["a pipe that nobody writes to", "is not a file", (file) => void Bun.spawnSync(["mkfifo", file])],
    ["a device that never ends", "is not a file", (file) => symlinkSync("/dev/zero", file)],
    ["an empty file", "not a database of Latchkey", (file) => writeFileSync(file, "")],
    ["a text", "not a database of Latchkey", (file) => writeFileSync(file, "SELECT 1;".repeat(2_000))],
    ["a header without a database", "not a database of Latchkey", (file) => writeFileSync(file, "SQLite format 3\0")],
    ["an encrypted database", "not a database of Latchkey", (file) => writeFileSync(file, encrypted(backupBytes()))],
    ["half a backup", "damaged", (file) => writeFileSync(file, backupBytes().subarray(0, 40_000))],
    ["a backup with torn pages", "damaged", (file) => writeFileSync(file, torn(backupBytes()))],
    ["a database of another program", "not a database of Latchkey", (file) => foreign(file, 0)],
    ["a database of another program that says so", "not a database of Latchkey", (file) => foreign(file, 0x0f055111)],
  ];

  test.each(bad)("%s", async (_what, sentence, make) => {
    const file = join(stage.folder, "bad.db");
    make(file);
    await expectRefused(file, sentence);
  });

  const backupBytes = () => readFileSync(stage.backup);

  function encrypted(bytes: Buffer): Buffer {
    return Buffer.from(bytes.map((byte, index) => byte ^ ((index * 31 + 7) % 256)));
  }

  function torn(bytes: Buffer): Buffer {
    for (let at = 8_192; at < bytes.length; at += 4_096) bytes.fill(0xaa, at, at + 600);
    return bytes;
  }

  function foreign(file: string, applicationId: number): void {
    withDatabase(file, (connection) => connection.run(`PRAGMA application_id = ${applicationId}; CREATE TABLE t (id)`));
  }
});

describe("a schema that differs from ours in anything is refused", () => {
  const oldPassword =
    "AFTER UPDATE ON accounts BEGIN UPDATE accounts SET password_hash = 'known' WHERE id = new.id; END";
  const endless = "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
  const tables = Array.from({ length: 6_000 }, (_, index) => `CREATE TABLE t${index} (a, b, c);`);
  const manyTables = `BEGIN; ${tables.join("")} COMMIT`;
  const dropLedger = `INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (50, 'reseller', 'any', 'x', 1);
    INSERT INTO resellers (id) VALUES (50); DROP TABLE credit_ledger`;
  const again = (table: string, columns: string) =>
    `PRAGMA foreign_keys = OFF; DROP TABLE ${table}; CREATE TABLE ${table} ${columns}`;

  test.each([
    [
      "a trigger",
      "CREATE TRIGGER backdoor AFTER INSERT ON accounts BEGIN DELETE FROM accounts; END",
      "trigger backdoor",
    ],
    [
      "a trigger called as statistics are",
      `CREATE TRIGGER sqliteXstat_backdoor ${oldPassword}`,
      "trigger sqliteXstat_backdoor",
    ],
    ["a view called as statistics are", "CREATE VIEW sqliteXstat1 AS SELECT 1", "view sqliteXstat1"],
    ["a table called as statistics are", "CREATE TABLE sqliteXstat1 (tbl, idx, stat)", "table sqliteXstat1"],
    ["an index called as statistics are", "CREATE INDEX sqliteXstat1 ON accounts (role)", "index sqliteXstat1"],
    ["a virtual table called as statistics are", "CREATE VIRTUAL TABLE sqliteXstat1 USING fts5 (a)", "sqliteXstat1"],
    ["a table more", "CREATE TABLE extra (id INTEGER)", "table extra"],
    ["an index more", "CREATE INDEX extra ON accounts (created_at)", "index extra"],
    ["a view", "CREATE VIEW extra AS SELECT 1", "view extra"],
    ["thousands of tables", manyTables, "table t0"],
    ["a name that a terminal obeys", 'CREATE TABLE "\u001b[2J\u001b]0;owned\u0007" (id)', "entry of a strange name"],
    ["an index less", "DROP INDEX sessions_account", "lacks the index sessions_account"],
    ["a trigger less", "DROP TRIGGER credit_ledger_is_never_erased", "lacks the trigger credit_ledger_is_never_erased"],
    ["a table less", "DROP TABLE known_addresses", "lacks the table known_addresses"],
    ["a column more", "ALTER TABLE accounts ADD COLUMN extra TEXT", "another table accounts"],
    [
      "a column that computes",
      "ALTER TABLE accounts ADD COLUMN extra TEXT AS (upper(username))",
      "another table accounts",
    ],
    [
      "another collation",
      again("known_addresses", "(account_id, address COLLATE NOCASE)"),
      "another table known_addresses",
    ],
    [
      "an endless view for the ledger",
      `${dropLedger}; CREATE VIEW credit_ledger ${endless} i AS reseller_id, i AS amount_tenths FROM n`,
      "view credit_ledger",
    ],
    [
      "an endless view for the list of migrations",
      `DROP TABLE schema_migrations; CREATE VIEW schema_migrations ${endless} i AS version, '' AS name, '' AS checksum FROM n`,
      "view schema_migrations",
    ],
    ["no list of migrations", "DROP TABLE schema_migrations", "lacks the table schema_migrations"],
    ["no migrations", "DELETE FROM schema_migrations", "holds nothing yet"],
  ])("%s", async (_what, sql, sentence) => {
    await expectRefused(stage.prepared("bad.db", sql), sentence);
  });

  test.each([
    ["a trigger", "CREATE TRIGGER sqliteXstat1 AFTER INSERT ON accounts BEGIN SELECT 1; END"],
    ["a view", "CREATE VIEW sqliteXstat1 AS SELECT 1"],
    ["a table of other columns", "CREATE TABLE sqliteXstat1 (tbl, idx, stat, more)"],
  ])("%s under the very name of the statistics", async (_what, sql) => {
    const file = stage.prepared("bad.db", sql);
    // SQLite gives that name to nobody, so it is written into the file.
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
    await expectRefused(file, "another encoding");
  });
});

describe("content that our tables would not take is refused", () => {
  const unchecked = (sql: string) => `PRAGMA ignore_check_constraints = ON; ${sql}`;
  const key = (set: string) => `
    INSERT INTO license_keys (id, key_string, game, device_limit, created_at, expires_at, created_by)
      VALUES (7, 'KEY-7', 'FREE FIRE', 1, 1, 2, 1);
    UPDATE license_keys SET ${set}`;
  const update = "INSERT INTO online_updates (title, message, link_url, is_active, created_at, updated_at) VALUES";
  const rich =
    "INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (50, 'reseller', 'rich', 'x', 1)";
  const maxSafe = Number.MAX_SAFE_INTEGER;

  test.each([
    ["a role of somebody's", unchecked("UPDATE accounts SET role = 'superuser'"), "accounts"],
    ["a link that is a script", unchecked(`${update} ('t', 'm', 'javascript:alert(1)', 1, 1, 1)`), "online_updates"],
    ["a negative count", unchecked(key("device_count = -1")), "license_keys"],
    [
      "a balance that its ledger does not have",
      `${rich}; INSERT INTO resellers (id, credits_tenths) VALUES (50, 999)`,
      "a balance is not the sum of its ledger",
    ],
    [
      "an order that says more keys than it has",
      `INSERT INTO orders (id, made_by, game, device_limit, days, key_count, cost_tenths, created_at)
         VALUES (7, 1, 'FREE FIRE', 1, 30, 2, 0, 1);
       ${key("order_id = 7")};
       INSERT INTO key_totals (owner, game, expiry_day, made_count) VALUES (0, 'FREE FIRE', 0, 1)`,
      "an order is not what its keys and its price come to",
    ],
    [
      "a row that refers to nothing",
      "INSERT INTO known_addresses VALUES (12345, '::1', 1)",
      "refers to one that is not there",
    ],
    ["a time that no calendar knows", key(`expires_at = ${maxSafe}`), "license_keys.expires_at is out of bounds"],
    ["a time before all times", "UPDATE accounts SET created_at = -1", "accounts.created_at is out of bounds"],
    [
      "an id that JavaScript cannot count",
      "UPDATE accounts SET id = 9223372036854775807 WHERE id = 1; DELETE FROM sessions",
      "accounts.id is out of bounds",
    ],
    [
      "an amount beyond what a balance may reach",
      `${rich}; INSERT INTO resellers (id) VALUES (50);
       INSERT INTO credit_ledger VALUES (1, 50, ${maxSafe}, 0, 'admin_grant', 1, 1, NULL, NULL)`,
      "credit_ledger.amount_tenths is out of bounds",
    ],
    [
      "a counter after which no row can come",
      "UPDATE sqlite_sequence SET seq = 9223372036854775807",
      "a counter of ids",
    ],
    ["a counter that is no number", "UPDATE sqlite_sequence SET seq = 'many'", "a counter of ids"],
    [
      "a newer version",
      "INSERT INTO schema_migrations VALUES (9999, '9999_later', 'x', 1)",
      "newer Latchkey (it has migration 9999_later)",
    ],
    [
      "a newer version of a strange name",
      "INSERT INTO schema_migrations VALUES (9999, char(27) || '[2J', 'x', 1)",
      "newer Latchkey (it has migration 9999)",
    ],
    [
      "edited migrations",
      "UPDATE schema_migrations SET checksum = 'edited'",
      "is not the one that this database was made with",
    ],
  ])("%s", async (_what, sql, sentence) => {
    await expectRefused(stage.prepared("bad.db", sql), sentence);
  });
});

describe("a journal beside the backup is never dropped in silence", () => {
  test("one that undoes an unfinished change is for sqlite3", async () => {
    writeFileSync(`${stage.backup}-journal`, "any");
    await expectRefused(stage.backup, "of a change that was never finished");
  });

  test("one of which nothing can be read is for a person to judge", async () => {
    writeFileSync(`${stage.backup}-wal`, Buffer.alloc(9_000, 7));
    await expectRefused(stage.backup, "Nothing can be read of");
  });

  test("one that is no file", async () => {
    Bun.spawnSync(["mkfifo", `${stage.backup}-wal`]);
    await expectRefused(stage.backup, "is not a file");
  });
});

describe("a copy gets its name only if restore would take it", () => {
  test.each([
    ["an index more", "CREATE INDEX extra ON accounts (created_at)", "has the index extra, which is not ours"],
    ["a time that no calendar knows", `UPDATE accounts SET created_at = ${Number.MAX_SAFE_INTEGER}`, "out of bounds"],
    [
      "a role of somebody's",
      "PRAGMA ignore_check_constraints = ON; UPDATE accounts SET role = 'superuser'",
      "accounts",
    ],
  ])("%s", (_what, sql, sentence) => {
    const copy = join(stage.folder, "copy.db");
    withDatabase(stage.live, (connection) => {
      connection.run(sql);
      expect(() => copyDatabase(connection, copy, releasedMigrations())).toThrow(sentence);
    });
    expect(readdirSync(stage.folder).filter((name) => name.startsWith("copy") || name.startsWith("."))).toEqual([]);
  });
});
