import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addAdmin } from "../../../tests/backup-stage.ts";
import { temporaryFolder } from "../../../tests/process.ts";
import { dayOf, msPerDay, msPerSecond } from "../../core/clock.ts";
import { applyMissing, type Migration, noticeBefore } from "./applied-migrations.ts";
import { copyDaysMax, isBehind, migrate, releasedMigrations, removeOldCopies } from "./migrations.ts";

let folder: string;
let file: string;
const now = () => 1_741_185_000_000;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "latchkey.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const released = releasedMigrations();
const next: Migration = {
  version: 9_999,
  name: "9999_next",
  sql: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT",
  checksum: "next",
};

test("migrations are numbered without gaps", () => {
  expect(released.map(({ version }) => version)).toEqual(released.map((_, index) => index + 1));
});

test("an empty folder gets all migrations and no backup", () => {
  const report = migrate(file, released, now);
  expect(report).toMatchObject({ applied: released.map(({ name }) => name), version: released.length, isNew: true });
  expect([report.backupFile, readdirSync(folder)]).toEqual([null, ["latchkey.db"]]);
  expect(migrate(file, released, now).applied).toEqual([]);
});

test("migrating from any earlier version gives the same tables as a new database", () => {
  const migrated = (connection: Connection) => {
    applyMissing(connection, released, now);
    return connection.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
  };
  const tables = migrated(new Connection(":memory:"));
  const earlier = new Connection(":memory:");
  for (let version = 0; version <= released.length; version += 1) {
    applyMissing(earlier, released.slice(0, version), now);
    expect(migrated(Connection.deserialize(earlier.serialize()))).toEqual(tables);
  }
});

test("a database with data is copied before a migration", () => {
  migrate(file, released, now);
  addAdmin(file, "kept");
  const { applied, backupFile } = migrate(file, [...released, next], now);
  expect(applied).toEqual([next.name]);
  const copy = new Connection(backupFile as string, { readonly: true });
  expect(copy.query("SELECT username FROM accounts").all()).toEqual([{ username: "kept" }]);
  expect(copy.query("SELECT name FROM sqlite_schema WHERE name = 'later'").all()).toEqual([]);
});

test("the migration that adds public session ids keeps sessions", () => {
  const connection = new Connection(":memory:");
  connection.run("PRAGMA foreign_keys = ON");
  applyMissing(connection, released.slice(0, 1), now);
  connection.run("INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1)");
  connection.run(
    "INSERT INTO sessions (id, account_id, created_at, last_seen_at) VALUES ('b', 1, 2, 4), ('a', 1, 3, 5)",
  );
  applyMissing(connection, released, now);
  expect(connection.query("SELECT * FROM sessions ORDER BY id").all()).toEqual([
    { id: 1, secret: "b", account_id: 1, created_at: 2, last_seen_at: 4, address: null, user_agent: null },
    { id: 2, secret: "a", account_id: 1, created_at: 3, last_seen_at: 5, address: null, user_agent: null },
  ]);
  expect(() =>
    connection.run("INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'ANNA', 'x', 1)"),
  ).toThrow();
  expect(connection.query("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("the migration that adds staff leaves every account a full one", () => {
  const connection = new Connection(":memory:");
  connection.run("PRAGMA foreign_keys = ON");
  applyMissing(connection, released.slice(0, 23), now);
  connection.run(
    "INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', 'Anna', 'x', 1)",
  );
  connection.run("INSERT INTO resellers (id) VALUES (1)");
  applyMissing(connection, released, now);
  expect(connection.query("SELECT * FROM staff").all()).toEqual([]);
  const staff = (owner: string) =>
    `INSERT INTO staff (id, role, owner_id, rights) VALUES (1, 'reseller', ${owner}, 'keys:read')`;
  expect(() => connection.run(staff("NULL"))).toThrow();
  expect(() => connection.run(staff("7"))).toThrow();
  expect(() => connection.run(staff("1").replace("'reseller'", "'admin'"))).toThrow();
});

test("stored idempotent responses have the current form after the migration that adds orders", () => {
  const connection = new Connection(":memory:");
  applyMissing(connection, released.slice(0, 5), now);
  connection.run("INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1)");
  const before = { keys: [{ id: 7 }, { id: 8 }], credits: 2.5 };
  const remember = "INSERT INTO idempotency_keys VALUES (1, 'once', 'hash', ?, 5)";
  connection.run(remember, [JSON.stringify(before)]);
  applyMissing(connection, released, now);
  const [{ answer = "" } = {}] = connection.query<{ answer: string }, []>("SELECT answer FROM idempotency_keys").all();
  const none = {
    ...{ orderId: null, note: null, starts: "creation", startedAt: null, pausedAt: null, durationHours: null },
    replacedBy: null,
  };
  expect(JSON.parse(answer)).toEqual({
    orderId: null,
    credits: 2.5,
    keys: [
      { id: 7, ...none },
      { id: 8, ...none },
    ],
  });
});

test("the migration that adds folded search columns fills them for any script", () => {
  const connection = new Connection(":memory:");
  applyMissing(connection, released.slice(0, 11), now);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1);
    INSERT INTO license_keys (id, key_string, game, device_limit, created_at, expires_at, created_by, note)
      VALUES (3, 'Key-Oils8', 'FREE FIRE', 1, 1, 2, 1, 'Für MÜLLER'), (4, 'KEY-2', 'FREE FIRE', 1, 1, 2, 1, NULL);
    INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (3, 'ТЕЛЕФОН-1', 5), (3, 'Phone-1', 5)`);
  applyMissing(connection, released, now);
  expect(
    connection.query("SELECT text_folded, look_alike, note_folded FROM license_keys ORDER BY id").values(),
  ).toEqual([
    ["keyoils8", "key01158", "für müller"],
    ["key2", "key2", null],
  ]);
  expect(connection.query("SELECT device_folded FROM key_devices ORDER BY id").values().flat()).toEqual([
    "телефон-1",
    "phone-1",
  ]);
});

test("the migration that folds every script folds texts and names again, and keeps a name that is taken", () => {
  const connection = new Connection(":memory:");
  applyMissing(connection, released.slice(0, 25), now);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1);
    INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by, note, note_folded)
      VALUES (3, 'KEY-1', 'key-1', 3, 1, 1, 2, 1, 'kırmızı', 'kırmızı');
    INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by, label, label_folded)
      VALUES ('token-of-twenty-letters', 0, 1, 1, 'ΟΔΟΣ', 'οδος');
    INSERT INTO game_names (name_folded, name, game_id) VALUES ('straße', 'Straße', 1), ('fıre', 'Fıre', 1), ('fire', 'FIRE', 2)`);
  applyMissing(connection, released, now);
  expect(connection.query("SELECT note_folded FROM license_keys").values()).toEqual([["kirmizi"]]);
  expect(connection.query("SELECT label_folded FROM referral_tokens").values()).toEqual([["οδοσ"]]);
  const names = connection.query("SELECT name_folded, name FROM game_names WHERE name IN ('Straße', 'Fıre', 'FIRE')");
  expect(names.values()).toEqual([
    ["fire", "FIRE"],
    ["fıre", "Fıre"],
    ["strasse", "Straße"],
  ]);
});

test("older devices were last seen on the day of the upgrade, and a game under maintenance has been since then", () => {
  const connection = new Connection(":memory:");
  applyMissing(connection, released.slice(0, 17), now);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1);
    INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
      VALUES (3, 'KEY-1', 'key-1', 3, 1, 1, 2, 1);
    INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (3, 'phone', 5);
    UPDATE games SET maintenance = 'Back soon.' WHERE id = 2`);
  const from = Date.now() - msPerSecond;
  applyMissing(connection, released, now);
  const [[day, name] = []] = connection.query("SELECT last_seen_day, name FROM key_devices").values();
  expect([dayOf(from), dayOf(Date.now())]).toContain(day as number);
  expect(name).toBeNull();
  const [[game, began, ended] = []] = connection
    .query("SELECT game_id, began_at, ended_at FROM game_maintenance")
    .values();
  expect([game, ended]).toEqual([2, null]);
  expect(began).toBeWithin(from, Date.now() + 1);
  const defaults = "release_is_allowed, release_cooldown_hours, release_per_thirty_days, release_idle_days";
  expect(connection.query(`SELECT DISTINCT ${defaults} FROM games`).values()).toEqual([[1, 24, 3, null]]);
});

test("the migration that adds notes to key events keeps the events", () => {
  const connection = new Connection(":memory:");
  applyMissing(connection, released.slice(0, 5), now);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1);
    INSERT INTO license_keys (id, key_string, game, device_limit, created_at, expires_at, created_by) VALUES (3, 'KEY-1', 'FREE FIRE', 1, 1, 2, 1);
    INSERT INTO key_events (id, key_id, what, made_by, device_id, created_at) VALUES (9, 3, 'DEVICE_REMOVED', 1, 'phone', 5)`);
  applyMissing(connection, released, now);
  const noted = "INSERT INTO key_events (key_id, what, made_by, created_at) VALUES (3, 'NOTED', 1, 6) RETURNING id";
  expect(connection.query(noted).all()).toEqual([{ id: 10 }]);
  expect(connection.query("SELECT * FROM key_events WHERE id = 9").get()).toMatchObject({
    ...{ id: 9, key_id: 3, what: "DEVICE_REMOVED", made_by: 1, device_id: "phone", created_at: 5 },
  });
});

test("the migration that adds take-backs keeps the ledger's rows, ids, indexes and triggers", () => {
  const connection = new Connection(":memory:");
  connection.run("PRAGMA foreign_keys = ON");
  applyMissing(connection, released.slice(0, 13), now);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', 'Anna', 'x', 1);
    INSERT INTO resellers (id, credits_tenths) VALUES (1, 20);
    INSERT INTO orders (id, reseller_id, made_by, game, device_limit, days, key_count, cost_tenths, created_at)
      VALUES (4, 1, 1, 'FREE FIRE', 1, 30, 1, 30, 7);
    INSERT INTO credit_ledger (id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note)
      VALUES (3, 1, 50, 50, 'admin_grant', 1, 6, NULL, 'Cash'), (9, 1, -30, 20, 'key_purchase', 1, 7, 4, NULL)`);
  const rows = () => connection.query<object, []>("SELECT * FROM credit_ledger ORDER BY id").all();
  const parts = () =>
    connection
      .query(
        "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'credit_ledger' AND type <> 'table' ORDER BY 2",
      )
      .all();
  const [rowsBefore, partsBefore] = [rows(), parts()];
  applyMissing(connection, released.slice(0, 14), now);
  expect(rows()).toEqual(rowsBefore.map((row) => ({ ...row, grant_id: null })));
  expect(parts()).toEqual(expect.arrayContaining(partsBefore));
  expect(parts()).toHaveLength(partsBefore.length + 1);
  expect(connection.query("PRAGMA foreign_key_check").all()).toEqual([]);

  const entry = "INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at";
  expect(
    connection.query(`${entry}, grant_id) VALUES (1, -20, 0, 'grant_taken_back', 1, 8, 3) RETURNING id`).all(),
  ).toEqual([{ id: 10 }]);
  for (const invalid of [
    `${entry}) VALUES (1, -20, 0, 'grant_taken_back', 1, 8)`,
    `${entry}, grant_id) VALUES (1, 20, 40, 'grant_taken_back', 1, 8, 3)`,
    `${entry}, grant_id) VALUES (1, 20, 40, 'admin_grant', 1, 8, 3)`,
    `${entry}, grant_id) VALUES (1, -20, 0, 'grant_taken_back', 1, 8, 99)`,
    `${entry}, order_id) VALUES (1, -20, 0, 'key_purchase', 1, 8, 4)`,
    "UPDATE credit_ledger SET note = 'x'",
    "DELETE FROM credit_ledger",
  ]) {
    expect(() => connection.run(invalid)).toThrow();
  }
});

test("the migration of the time of keys keeps the ledger and events, and knows how long keys were given", () => {
  const connection = new Connection(":memory:");
  connection.run("PRAGMA foreign_keys = ON");
  applyMissing(connection, released.slice(0, 16), now);
  const hour = 3_600_000;
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', 'Anna', 'x', 1);
    INSERT INTO resellers (id, credits_tenths) VALUES (1, 20);
    INSERT INTO orders (id, reseller_id, made_by, game_id, device_limit, days, key_count, cost_tenths, created_at)
      VALUES (4, 1, 1, 3, 1, 5, 1, 30, 7), (5, NULL, 1, 3, 1, 5, 1, 0, 7);
    INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by, reseller_id, order_id)
      VALUES (3, 'KEY-3', 'key-3', 3, 1, 7, ${7 + 120 * hour}, 1, 1, 4), (8, 'KEY-8', 'key-8', 3, 1, 7, ${7 + 120 * hour}, 1, NULL, 5);
    INSERT INTO key_events (id, key_id, what, made_by, device_id, created_at) VALUES (9, 3, 'DEVICE_REMOVED', 1, 'phone', 5);
    INSERT INTO credit_ledger (id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note)
      VALUES (3, 1, 50, 50, 'admin_grant', 1, 6, NULL, 'Cash'), (9, 1, -30, 20, 'key_purchase', 1, 7, 4, NULL);
    INSERT INTO idempotency_keys VALUES (1, 'once', 'hash', '{"keys":[{"id":3,"createdAt":"then"}],"credits":2}', 5)`);
  const all = (sql: string) => connection.query<Record<string, unknown>, []>(sql).all();
  const [ledger, events] = [all("SELECT * FROM credit_ledger"), all("SELECT * FROM key_events")];
  applyMissing(connection, released, now);
  expect(all("SELECT * FROM credit_ledger")).toEqual(ledger.map((row) => ({ ...row, key_id: null })));
  const added = { amount: null, is_renewal: 0, intervention_id: null };
  expect(all("SELECT * FROM key_events")).toMatchObject(events.map((row) => ({ ...row, ...added })));
  expect(all("SELECT id, is_first_use, started_at, duration_hours, paused_at FROM license_keys ORDER BY id")).toEqual([
    { id: 3, is_first_use: 0, started_at: 7, duration_hours: 120, paused_at: null },
    { id: 8, is_first_use: 0, started_at: 7, duration_hours: null, paused_at: null },
  ]);
  expect(all("SELECT id, is_first_use, duration_hours FROM orders ORDER BY id")).toEqual([
    { id: 4, is_first_use: 0, duration_hours: 120 },
    { id: 5, is_first_use: 0, duration_hours: null },
  ]);
  const [{ answer } = {}] = all("SELECT answer FROM idempotency_keys");
  expect(JSON.parse(String(answer))).toEqual({
    keys: [
      {
        ...{ id: 3, createdAt: "then", starts: "creation", startedAt: "then", pausedAt: null, durationHours: 120 },
        replacedBy: null,
      },
    ],
    credits: 2,
  });
  expect(all("PRAGMA foreign_key_check")).toEqual([]);
  for (const invalid of [
    "INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at) VALUES (1, -5, 15, 'key_extension', 1, 8)",
    "UPDATE credit_ledger SET note = 'x'",
    "DELETE FROM credit_ledger",
  ]) {
    expect(() => connection.run(invalid)).toThrow();
  }
});

const broken: Migration = { ...next, sql: "CREATE TABLE later (id INTEGER); CREATE TABLE oops (" };

test("a failed migration leaves the database unchanged, and its message explains how to go back", () => {
  migrate(file, released, now);
  expect(() => migrate(file, [...released, broken], now)).toThrow(
    /^Migration 9999_next failed and changed nothing: .+\. To go back, .+ restore .*latchkey\.db\.before-9999_next\.[0-9a-f]{16}$/,
  );
  expect(migrate(file, released, now)).toMatchObject({ applied: [] });
  const connection = new Connection(file, { readonly: true });
  expect(connection.query("SELECT name FROM sqlite_schema WHERE name = 'later'").all()).toEqual([]);
});

describe("the copies from before a migration", () => {
  const copies = () => readdirSync(folder).filter((name) => name.includes(".before-"));
  const attempt = (sql: Migration) => {
    try {
      migrate(file, [...released, sql], now);
    } catch {}
  };

  test("repeated failed starts make one copy and reuse it", () => {
    migrate(file, released, now);
    addAdmin(file, "first");
    attempt(broken);
    const [made = ""] = copies();
    const written = statSync(join(folder, made)).mtimeMs;
    for (let again = 0; again < 3; again += 1) attempt(broken);
    expect(copies()).toEqual([made]);
    expect(statSync(join(folder, made)).mtimeMs).toBe(written);
  });

  test("a damaged copy is made again", () => {
    migrate(file, released, now);
    attempt(broken);
    const [made = ""] = copies();
    writeFileSync(join(folder, made), "ruins");
    attempt(broken);
    expect(copies()).toEqual([made]);
    expect(readFileSync(join(folder, made), "latin1")).toStartWith("SQLite format 3");
  });

  test("after further writes a new copy replaces the old one", () => {
    migrate(file, released, now);
    attempt(broken);
    const [made] = copies();
    addAdmin(file, "since");
    attempt(broken);
    const [copy = "", ...others] = copies();
    expect([others, copy === made]).toEqual([[], false]);
    const connection = new Connection(join(folder, copy), { readonly: true });
    expect(connection.query("SELECT username FROM accounts").all()).toEqual([{ username: "since" }]);
  });

  test(`are removed after ${copyDaysMax} days, except the newest`, () => {
    migrate(file, released, now);
    const age = (days: number) => (now() - days * msPerDay) / msPerSecond;
    for (const [name, days] of [
      ["a", 90],
      ["b", 60],
      ["c", copyDaysMax + 1],
    ] as const) {
      writeFileSync(`${file}.before-${name}`, "");
      utimesSync(`${file}.before-${name}`, age(days), age(days));
    }
    const removed = ["b", "a"].map((name) => `${file}.before-${name}`);
    expect(removeOldCopies(file, now())).toEqual(removed);
    expect(copies()).toEqual(["latchkey.db.before-c"]);
    writeFileSync(`${file}.before-d`, "");
    utimesSync(`${file}.before-d`, age(1), age(1));
    expect(removeOldCopies(file, now())).toEqual([`${file}.before-c`]);
  });
});

test("a database that could not be restored is not migrated", () => {
  migrate(file, released, now);
  const connection = new Connection(file);
  connection.run("CREATE INDEX extra ON accounts (created_at)");
  connection.close(true);
  expect(() => migrate(file, [...released, next], now)).toThrow(
    "The database was not migrated, because a copy of it could not be restored. The database differs from Latchkey's schema: it has the index extra,",
  );
  expect(readdirSync(folder)).toEqual(["latchkey.db"]);
});

test("a database of a newer version, with a changed migration, or of another program is left unchanged", () => {
  migrate(file, [...released, next], now);
  expect(() => migrate(file, released, now)).toThrow(/newer Latchkey .* Use that version\.$/);
  expect(() => migrate(file, [...released, { ...next, checksum: "edited" }], now)).toThrow("Nothing was changed");

  const foreign = join(folder, "foreign.db");
  const connection = new Connection(foreign);
  connection.run("CREATE TABLE somebodys (id INTEGER)");
  connection.close();
  const before = readFileSync(foreign);
  expect(() => migrate(foreign, released, now)).toThrow("not a Latchkey database");
  expect(readFileSync(foreign).equals(before)).toBe(true);
});

test("a program that is older than the database names the copy that leads back", () => {
  migrate(file, released, now);
  const { backupFile } = migrate(file, [...released, next], now);
  const way = `To go back instead, run \`latchkey restore ${backupFile}\``;
  expect(() => migrate(file, released, now)).toThrow(way);
  expect(() => isBehind(file, released)).toThrow(way);
});

test("checking whether a file needs migrations works during a write and changes nothing", () => {
  expect(isBehind(file, released)).toBeTrue();
  expect(existsSync(file)).toBeFalse();
  migrate(file, released, now);
  const writer = new Connection(file);
  writer.run("BEGIN IMMEDIATE");
  expect([isBehind(file, released), isBehind(file, [...released, next])]).toEqual([false, true]);
  // A command without migrations to run must not wait for a busy server's lock.
  expect(migrate(file, released, now).applied).toEqual([]);
  writer.close();
  migrate(file, [...released, next], now);
  expect(() => isBehind(file, released)).toThrow("newer Latchkey");
});

test("a start that was killed before the first migration can be repeated", () => {
  writeFileSync(file, "");
  expect(migrate(file, released, now).applied).toHaveLength(released.length);
  expect(existsSync(file)).toBe(true);
});

test("the tables refuse invalid rows", () => {
  const connection = new Connection(":memory:");
  connection.run("PRAGMA foreign_keys = ON");
  applyMissing(connection, released, now);
  connection.run(
    "INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', 'Anna', 'x', 1)",
  );
  connection.run("INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Root', 'x', 1)");
  connection.run("INSERT INTO resellers (id) VALUES (1)");
  const key =
    "INSERT INTO license_keys (key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by) VALUES";
  const illegal = [
    "INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'ANNA', 'x', 1)",
    "INSERT INTO resellers (id) VALUES (2)",
    "UPDATE resellers SET credits_tenths = -1",
    "UPDATE resellers SET credits_tenths = 1.5",
    "INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at) VALUES (1, 5, 5, 'key_purchase', 1, 1)",
    `${key} ('KEY-1', 'key-1', 99, 1, 1, 2, 1)`,
    `${key} ('KEY-1', 'key-1', 3, 1, 2, 1, 1)`,
    `${key} ('KEY-1', 'key-1', 3, 101, 1, 2, 1)`,
    `${key} ('KEY-1', 'key-1', 3, 1, 1, 2, 99)`,
    "INSERT INTO online_updates (title, message, link_url, is_active, created_at, updated_at) VALUES ('t', 'm', 'javascript:1', 1, 1, 1)",
  ];
  for (const statement of illegal) expect(() => connection.run(statement)).toThrow();

  connection.run(
    "INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at) VALUES (1, 5, 5, 'admin_grant', 2, 1)",
  );
  expect(() => connection.run("UPDATE credit_ledger SET amount_tenths = 500")).toThrow("append-only");
  expect(() => connection.run("DELETE FROM credit_ledger")).toThrow("append-only");
});

test("a migration that writes many keys again says beforehand how long it takes and how much space it needs", () => {
  migrate(file, released.slice(0, 15), now);
  addAdmin(file, "anna");
  const connection = new Connection(file);
  connection.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by)
    SELECT 'Key-' || i, 'LAST ISLAND OF SURVIVAL', 1, 1, 2, 1 FROM n`);
  connection.run(
    "INSERT INTO key_totals (owner, game, expiry_day, made_count) VALUES (0, 'LAST ISLAND OF SURVIVAL', 0, 20000)",
  );
  connection.close();
  const announced: string[] = [];
  const announce = (notice: string) => void announced.push(notice);
  migrate(file, released, now, announce);
  migrate(file, released, now, announce);
  expect(announced).toEqual(["Migrating 20,000 keys, which takes about 1 s and up to 20 MB of free space."]);
  const notice = (after: number, keys: number) => noticeBefore(released.slice(after, after + 1), keys, "postgres");
  expect(notice(16, 1_000_000)).toBe(
    "Migrating 1,000,000 keys, which takes about 50 s and up to 1000 MB of free space.",
  );
  expect([notice(16, 19_999), notice(14, 1_000_000)]).toEqual([null, null]);
  const migrated = new Connection(file, { readonly: true });
  expect(
    migrated.query("SELECT count(*), min(game_id), max(game_id), max(normal_form) FROM license_keys").values(),
  ).toEqual([[20_000, 2, 2, "key-9999"]]);
  expect(migrated.query("PRAGMA foreign_key_check").all()).toEqual([]);
});
