import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { SQL } from "bun";
import { migratePostgres, postgresMigrations } from "../../src/db/migrate/postgres-migrations.ts";
import { createClient, signInAdmin } from "../client.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { startOldPooler } from "../old-pooler.ts";
import { refusedStart, runLatchkey, sharedSecret, startLatchkey, temporaryFolder } from "../process.ts";

let url: string;
let drop: () => Promise<void>;
let folder: string;
beforeEach(async () => {
  ({ url, drop } = await makePostgresDatabase(testServer as string, { isEmpty: true }));
  folder = temporaryFolder();
});
afterEach(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ DATABASE_URL: url, SECRET: sharedSecret });
const run = (words: string[], more: Record<string, string> = {}) =>
  runLatchkey(words, { environment: { ...environment(), ...more }, cwd: folder });

test("when several processes start on an empty database, one initialises it and all serve it", async () => {
  const started = await Promise.all(Array.from({ length: 2 }, () => startLatchkey({ environment: environment() })));
  const said = started.map(({ output }) => output());
  for (const sentence of ["Created the tables of a new database", "Created the first admin"]) {
    expect(said.filter((output) => output.includes(sentence))).toHaveLength(1);
  }
  const seen = await Promise.all(
    started.map(async (latchkey) => (await signInAdmin(() => createClient(latchkey.url))).get("/api/admin/stats")),
  );
  expect(seen.map(({ status }) => status)).toEqual([200, 200]);
  expect(seen[0]?.body).toEqual(seen[1]?.body);
  expect(await Promise.all(started.map((latchkey) => latchkey.stop()))).toEqual([0, 0]);
});

test("commands create and list admins while servers run, and create no tables", async () => {
  expect(await run(["admin", "list"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The database is empty."),
  });
  expect((await run(["migrate"])).stdout).toContain("Created the tables of a new database.");
  expect((await run(["migrate"])).stdout).toContain("Nothing to do");
  await run(["admin", "create", "second.admin"]);
  expect((await run(["admin", "list"])).stdout).toContain("second.admin");
});

test("an older version refuses to start on a newer schema", async () => {
  await run(["migrate"]);
  const client = new SQL(url, { max: 1 });
  await client.unsafe(
    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999_future', 'x', 1)",
  );
  await client.close();
  const { code, message } = refusedStart(await run(["serve"], { PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder }));
  expect([code, message]).toEqual([1, expect.stringContaining("The database was made by a newer Latchkey")]);
});

test("the migration that adds folded search columns fills them for any script", async () => {
  await migratePostgres(url, () => 0, postgresMigrations().slice(0, 11));
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Anna', 'x', 1);
    INSERT INTO orders (made_by, game, device_limit, days, key_count, cost_tenths, created_at, note)
      SELECT id, 'FREE FIRE', 1, 5, 1, 0, 1, 'Für MÜLLER' FROM accounts;
    INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by, order_id)
      SELECT 'KEY-Oil', 'FREE FIRE', 1, 1, 2, made_by, id FROM orders`);
  await migratePostgres(url, () => 0);
  expect(
    await sql.unsafe("SELECT o.note_folded, look_alike FROM orders o JOIN license_keys k ON k.order_id = o.id"),
  ).toEqual([{ note_folded: "für müller", look_alike: "key011" }]);
  await sql.close();
});

test("the migration that folds every script folds names again, and keeps one that is taken", async () => {
  await migratePostgres(url, () => 0, postgresMigrations().slice(0, 25));
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(
    "INSERT INTO game_names (name_folded, name, game_id) VALUES ('straße', 'Straße', 1), ('fıre', 'Fıre', 1), ('fire', 'FIRE', 2)",
  );
  await migratePostgres(url, () => 0);
  const folded = await sql.unsafe(
    "SELECT name_folded FROM game_names WHERE name IN ('Straße', 'Fıre', 'FIRE') ORDER BY 1",
  );
  expect([...folded]).toEqual([{ name_folded: "fire" }, { name_folded: "fıre" }, { name_folded: "strasse" }]);
  await sql.close();
});

test("a database with another program's tables is left unchanged", async () => {
  const client = new SQL(url, { max: 1 });
  await client.unsafe("CREATE TABLE notes (id int)");
  await client.close();
  expect(await run(["migrate"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("another program's tables"),
  });
});

test("a database with an encoding other than UTF-8 is refused, with instructions", async () => {
  const name = `ascii_${crypto.randomUUID().replaceAll("-", "")}`;
  const address = new URL(url);
  address.pathname = `/${name}`;
  const client = new SQL(url, { max: 1 });
  await client.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING SQL_ASCII LOCALE_PROVIDER libc LOCALE 'C'`);
  const finished = await run(["migrate"], { DATABASE_URL: address.href });
  await client.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.close();
  expect([finished.code, finished.stderr]).toEqual([
    1,
    expect.stringContaining("is SQL_ASCII, but UTF8 is needed: createdb"),
  ]);
});

describe("an address", () => {
  const change = (to: (address: URL) => void) => {
    const address = new URL(url);
    to(address);
    return address.href;
  };

  test.each([
    [
      "of another database system",
      () => "mysql://root@localhost/latchkey",
      2,
      "must be the address of a PostgreSQL database",
    ],
    ["without a server", () => change((to) => (to.port = "1")), 1, "cannot be reached"],
    ["of a missing database", () => change((to) => (to.pathname = "/nowhere")), 1, "There is no database nowhere"],
    ["with an unknown user", () => change((to) => (to.username = "stranger")), 1, "refuses the user stranger"],
    ["that requires TLS from a server without it", () => `${url}?sslmode=require`, 1, "offers no TLS"],
  ])("%s stops a command with a sentence that contains no password", async (_what, address, code, sentence) => {
    const withPassword = address().replace("latchkey@", "latchkey:hush-hush@");
    const finished = await run(["admin", "list"], { DATABASE_URL: withPassword });
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringContaining(sentence)]);
    expect(finished.stderr).not.toContain("hush-hush");
  });

  test("of a pooler without prepared statements stops a command with a sentence that recommends another", async () => {
    const pooler = await startOldPooler(Number(new URL(url).port));
    const finished = await run(["admin", "list"], {
      DATABASE_URL: change((to) => (to.port = String(pooler.port))),
      DATABASE_LISTEN_URL: url,
    });
    await pooler.stop();
    expect([finished.code, finished.stderr]).toEqual([1, expect.stringContaining("Use PgBouncer 1.21 or newer")]);
    expect(finished.stderr).not.toContain("42P05");
  });

  test("is printed without its password", async () => {
    const { stdout } = await run(["config"], {
      DATABASE_URL: "postgres://ann:hush-hush@db.example:5432/keys?password=hush-hush",
    });
    expect(stdout).toContain("postgres://ann:hidden@db.example:5432/keys");
    expect(stdout).not.toContain("hush-hush");
  });
});

test.each([
  [{ SECRET: "" }, "DATABASE_URL needs SECRET"],
  [{ BACKUP_SCHEDULE: "daily" }, "BACKUP_SCHEDULE works only with the embedded database"],
  [{ DATABASE_POOL: "1" }, "DATABASE_POOL must be a number of connections"],
  [{ DATABASE_URL: "", DATABASE_LISTEN_URL: "postgres://a@b/c" }, "DATABASE_LISTEN_URL needs DATABASE_URL"],
])("the settings %p stop a command with a sentence", async (settings, sentence) => {
  const { code, stderr } = await run(["config"], settings as Record<string, string>);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

test.each(["backup", "backups", "restore latest", "verify latest"])(
  "%s says that PostgreSQL has its own backups",
  async (words) => {
    const { code, stderr } = await run(words.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/pg_dump|pg_restore/)]);
  },
);

test("the backup page says that the database is backed up elsewhere, and starts no backup", async () => {
  const latchkey = await startLatchkey({ environment: environment() });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  expect((await admin.get("/api/admin/backup/backups")).body).toMatchObject({ isElsewhere: true, backups: [] });
  expect(await admin.post("/api/admin/backup/backups")).toMatchObject({
    status: 409,
    body: { code: "BACKUPS_ELSEWHERE" },
  });
  expect((await admin.get("/api/admin/condition")).body).toMatchObject({ isWell: true, isBackedUpElsewhere: true });
  await latchkey.stop();
});
