import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { migrate, releasedMigrations } from "./migrations.ts";
import { restoreDatabase } from "./restore.ts";
import { copyDatabase } from "./snapshot.ts";

let folder: string;
let live: string;
let backup: string;
let clock = 0;
const now = () => (clock += 1);
const migrations = releasedMigrations();

/** A live database that knows `today`, and a backup of it that knows only `yesterday`. */
beforeEach(() => {
  folder = temporaryFolder();
  live = join(folder, "latchkey.db");
  backup = join(folder, "backup.db");
  migrate(live, migrations, now);
  addAdmin(live, "yesterday");
  withDatabase(live, (connection) => copyDatabase(connection, backup));
  addAdmin(live, "today");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function withDatabase<Result>(file: string, work: (connection: Connection) => Result): Result {
  const connection = new Connection(file, { readwrite: true, create: true });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

function addAdmin(file: string, username: string): void {
  withDatabase(file, (connection) => {
    const insert =
      "INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', ?, 'x', 1) RETURNING id";
    const { id } = connection.query(insert).get(username) as { id: number };
    connection.run("INSERT INTO sessions (id, account_id, created_at, last_seen_at) VALUES (?, ?, 1, 1)", [
      username,
      id,
    ]);
  });
}

const namesIn = (file: string) =>
  withDatabase(file, (connection) => connection.query("SELECT username FROM accounts ORDER BY id").values().flat());

test("a backup takes the place of the database, which is kept; nobody stays signed in", () => {
  const kept = restoreDatabase(backup, live, migrations, now);
  expect(namesIn(live)).toEqual(["yesterday"]);
  expect(namesIn(kept as string)).toEqual(["yesterday", "today"]);
  expect(withDatabase(live, (connection) => connection.query("SELECT * FROM sessions").all())).toEqual([]);
});

test("a backup is restored where there was no database", () => {
  const file = join(folder, "fresh.db");
  expect(restoreDatabase(backup, file, migrations, now)).toBeNull();
  expect(namesIn(file)).toEqual(["yesterday"]);
});

describe("the live database is untouched by", () => {
  const bad: [string, (file: string) => void][] = [
    ["a file that is not there", () => {}],
    ["an empty file", (file) => writeFileSync(file, "")],
    ["a text", (file) => writeFileSync(file, "SELECT 1;".repeat(2_000))],
    ["a header without a database", (file) => writeFileSync(file, "SQLite format 3\0")],
    ["half a backup", (file) => writeFileSync(file, readFileSync(backup).subarray(0, 40_000))],
    ["a backup with torn pages", (file) => writeFileSync(file, tear(readFileSync(backup)))],
    ["a foreign database", (file) => withDatabase(file, (connection) => connection.run("CREATE TABLE t (id)"))],
    ["a newer database", (file) => prepare(file, "INSERT INTO schema_migrations VALUES (9999, '9999_later', 'x', 1)")],
    ["a database of edited migrations", (file) => prepare(file, "UPDATE schema_migrations SET checksum = 'edited'")],
    [
      "a database with a trigger of somebody's",
      (file) => prepare(file, "CREATE TRIGGER t AFTER INSERT ON accounts BEGIN DELETE FROM accounts; END"),
    ],
    ["a database with a table more", (file) => prepare(file, "CREATE TABLE extra (id INTEGER)")],
    [
      "a ledger that does not add up",
      (file) =>
        prepare(
          file,
          "INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (50, 'reseller', 'rich', 'x', 1); INSERT INTO resellers (id, credits_tenths) VALUES (50, 999)",
        ),
    ],
    ["a row that refers to nothing", (file) => prepare(file, "INSERT INTO sessions VALUES ('s', 12345, 1, 1)")],
  ];

  test.each(bad)("%s", (_what, make) => {
    const file = join(folder, "bad.db");
    make(file);
    const before = readFileSync(live);
    expect(() => restoreDatabase(file, live, migrations, now)).toThrow();
    expect(readFileSync(live).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
  });

  function prepare(file: string, statement: string): void {
    writeFileSync(file, readFileSync(backup));
    withDatabase(file, (connection) => connection.run(statement));
  }

  function tear(bytes: Buffer): Buffer {
    const torn = Buffer.from(bytes);
    for (let at = 8_192; at < torn.length; at += 4_096) torn.fill(0xaa, at, at + 600);
    return torn;
  }
});
