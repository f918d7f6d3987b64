import { Database as Connection } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { msPerDay } from "../../src/core/clock.ts";
import { createClient, signInAdmin } from "../client.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { adminLogin, runLatchkey, sharedSecret, startLatchkey, temporaryFolder } from "../process.ts";
import { createLink } from "../shop-link.ts";

const handbook = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");

let url: string;
let drop: () => Promise<void>;
let folder: string;
let shop: string;
beforeAll(makeShop, 60_000);
afterAll(() => rmSync(shop, { recursive: true, force: true }));
beforeEach(async () => {
  ({ url, drop } = await makePostgresDatabase(testServer as string, { isEmpty: true }));
  folder = temporaryFolder();
});
afterEach(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

const secretFile = () => join(folder, "secret");
const run = (words: string[], environment: Record<string, string> = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, ...environment }, cwd: folder });
const runThere = (words: string[]) => run(words, { DATABASE_URL: url, SECRET_FILE: secretFile() });
/** An empty DATABASE_URL selects SQLite, although the tests run on PostgreSQL. */
const embedded = { DATABASE_URL: "", SECRET: "" };

async function ask(text: string): Promise<Record<string, unknown>[]> {
  const client = new SQL(url, { max: 1 });
  try {
    return await client.unsafe(text);
  } finally {
    await client.close();
  }
}

type Row = Record<string, unknown>;

/** Bun returns a BIGINT as text here. */
function asTexts(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]));
}

const rememberedAnswer = '{"ünï":"\\ud83c 🎮 \'"}';

/** Demo data on SQLite, a response that is hard to quote, and a deleted last key whose id must not be reused. */
async function makeShop(): Promise<void> {
  shop = temporaryFolder();
  writeFileSync(join(shop, "secret"), sharedSecret, { mode: 0o600 });
  const runHere = (words: string[], input = "") =>
    runLatchkey(words, { environment: { DATA_DIR: shop }, cwd: shop, input });
  await runHere(["migrate"]);
  await runHere(["admin", "create", adminLogin.username, "--password-stdin"], adminLogin.password);
  await runHere(["demo"]);
  const connection = new Connection(join(shop, "latchkey.db"));
  connection.run("INSERT INTO idempotency_keys VALUES (1, 'quote '' and \"', 'hash', ?, 5)", [rememberedAnswer]);
  connection.run("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'license_keys'");
  const terms =
    '{"durationId":4,"deviceLimit":1,"starts":"creation","signature":{"header":"X","algorithm":"sha512"},"saleId":["a.b"],"quantity":null,"maxQuantity":1,"creditsPerDay":0.5}';
  connection.run(`
    INSERT INTO shop_links (id, account_id, ref, name, game_id, terms, sealed_secret, is_active, created_at)
      VALUES (700, 1, 'ref', 'Shop', 3, '${terms}', 'x', 1, 5), (900, 1, 'deleted', 'Deleted', 3, '${terms}', 'x', 1, 5);
    INSERT INTO shop_sales (shop_link_id, at, sale_id, quantity, status, code, message, refusal_hash, refusal_count)
      VALUES (700, 5, 'ünï', 9007199254740991, 402, 'CREDITS_SHORT', 'Short.', 'hash', 3);
    INSERT INTO shop_failures VALUES (700, 'CREDITS_SHORT', 5);
    DELETE FROM shop_links WHERE id = 900`);
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
}

function openShop(): void {
  cpSync(shop, folder, { recursive: true });
}

test("move copies every row, reports it, and leaves the source unchanged", async () => {
  openShop();
  const before = readFileSync(join(folder, "latchkey.db"));
  const { code, stdout, stderr } = await run(["move", "--to", url]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^license_keys +\d+ rows {2}[0-9a-f]{12}$/m);
  expect(stdout).toMatch(/the ledger adds up to [\d.]+ credits/);
  expect(readFileSync(join(folder, "latchkey.db"))).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.startsWith(".latchkey-unfinished"))).toEqual([]);

  const source = new Connection(join(folder, "latchkey.db"), { readonly: true });
  for (const table of [
    "accounts",
    "resellers",
    "staff",
    "license_keys",
    "key_devices",
    "credit_ledger",
    "audit",
    "two_factor",
    "shop_links",
    "shop_sales",
    "shop_failures",
  ]) {
    const rows = source.query<Row, []>(`SELECT * FROM ${table} ORDER BY 1`).all();
    expect((await ask(`SELECT * FROM ${table} ORDER BY 1`)).map(asTexts)).toEqual(rows.map(asTexts));
  }
  const [{ answer } = {}] = await ask("SELECT answer FROM idempotency_keys WHERE idempotency_key LIKE 'quote%'");
  expect(answer).toBe(rememberedAnswer);
  const [key] = source
    .query<{ key_string: string; game: string }, []>(
      "SELECT key_string, (SELECT name FROM games g WHERE g.id = game_id) AS game FROM license_keys",
    )
    .all();
  source.close();
  const [last] = await ask("SELECT max(id) AS id FROM license_keys");
  expect(Number(last?.id)).toBeLessThan(5_000);

  expect((await runThere(["check"])).stdout).toContain("The database is intact");
  const latchkey = await startLatchkey({ environment: { DATABASE_URL: url, SECRET_FILE: secretFile() } });
  try {
    const admin = await signInAdmin(() => createClient(latchkey.url));
    const verdict = await admin.post("/api/verify", { key: key?.key_string, game: key?.game, deviceId: "new-device" });
    expect(verdict.status).toBeLessThan(500);
    const expiryDate = new Date(Date.now() + 30 * msPerDay).toISOString();
    expect((await createLink(admin, "admin")).id).toBeGreaterThan(900);
    const made = await admin.post("/api/admin/keys/generate", {
      game: "FREE FIRE",
      deviceLimit: 1,
      expiryDate,
      count: 1,
    });
    expect(made.status).toBe(201);
    expect((await ask("SELECT max(id) AS id FROM license_keys")).map(({ id }) => Number(id))).toEqual([5_001]);
  } finally {
    await latchkey.stop();
  }
}, 60_000);

test("move refuses a PostgreSQL database that is not empty, and leaves it empty if it fails", async () => {
  openShop();
  await ask("CREATE TABLE notes (id int)");
  expect(await run(["move", "--to", url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("another program"),
  });
  await ask("DROP TABLE notes");

  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run(
    "UPDATE key_devices SET device_folded = 'a' || char(0) || 'b' WHERE id = (SELECT max(id) FROM key_devices)",
  );
  connection.close();
  expect(await run(["move", "--to", url])).toMatchObject({ code: 1, stderr: expect.stringContaining("zero byte") });
  expect(await ask("SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'")).toHaveLength(0);

  const mended = new Connection(join(folder, "latchkey.db"));
  mended.run("UPDATE key_devices SET device_folded = 'ab' WHERE id = (SELECT max(id) FROM key_devices)");
  mended.close();
  expect(await runThere(["move"])).toMatchObject({ code: 0, stderr: "" });
  expect(await run(["move", "--to", url])).toMatchObject({ code: 1, stderr: expect.stringContaining("not empty") });
}, 60_000);

test("move requires a PostgreSQL address, an existing source and a stopped server", async () => {
  expect(await run(["move"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--to") });
  expect(await run(["move", "--to", "sqlite:somewhere"])).toMatchObject({ code: 2 });
  expect(await run(["move", "--to", url])).toMatchObject({ code: 1, stderr: expect.stringContaining("no database") });
  const latchkey = await startLatchkey({ dataFolder: folder, environment: embedded });
  expect(await run(["move", "--to", url])).toMatchObject({ code: 1, stderr: expect.stringContaining("Stop it first") });
  await latchkey.stop();
});

/** Every row of an embedded database, and its counters of ids, in the order of their texts. */
function contentOf(file: string): Record<string, string[]> {
  const connection = new Connection(file, { readonly: true });
  const names = connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values().flat().map(String);
  const isOurs = (name: string) => !/^sqlite_stat|^schema_migrations$/.test(name);
  const rowsOf = (name: string) => connection.query<Row, []>(`SELECT * FROM "${name}"`).all();
  const textsOf = (rows: Row[]) => rows.filter(({ seq }) => seq !== 0).map((row) => JSON.stringify(row));
  const content = names.filter(isOurs).map((name) => [name, textsOf(rowsOf(name)).sort()]);
  connection.close();
  return Object.fromEntries(content);
}

test("the handbook's way back copies every row into a new file, on which a server continues", async () => {
  openShop();
  const [before, back] = [join(folder, "latchkey.db"), join(folder, "shop", "latchkey.db")];
  expect((await run(["move", "--to", url])).code).toBe(0);
  const [, words = ""] = handbook.match(/<!-- moving back -->\n```sh\nlatchkey (.+)\n```/) ?? [];
  const { code, stdout, stderr } = await runThere(words.split(" "));
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^license_keys +\d+ rows {2}[0-9a-f]{12}$/m);
  expect(stdout).toMatch(/the ledger adds up to [\d.]+ credits/);
  expect(readdirSync(folder).sort()).toEqual(["latchkey.db", "latchkey.lock", "new.db", "secret"]);
  mkdirSync(join(folder, "shop"));
  renameSync(join(folder, "new.db"), back);
  expect(contentOf(back)).toEqual(contentOf(before));

  const environment = { ...embedded, SECRET_FILE: secretFile() };
  expect((await run(["check"], { ...environment, DATA_DIR: join(folder, "shop") })).stdout).toContain("intact");
  const latchkey = await startLatchkey({ dataFolder: join(folder, "shop"), environment });
  try {
    const admin = await signInAdmin(() => createClient(latchkey.url));
    const expiryDate = new Date(Date.now() + 30 * msPerDay).toISOString();
    const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1 };
    expect((await admin.post("/api/admin/keys/generate", order)).status).toBe(201);
  } finally {
    await latchkey.stop();
  }
  const connection = new Connection(back, { readonly: true });
  expect(connection.query("SELECT max(id) FROM license_keys").values()).toEqual([[5_001]]);
  connection.close();
}, 60_000);

test("move --to-file refuses a file that exists, running servers and a wrong PostgreSQL, and leaves no file", async () => {
  openShop();
  const back = join(folder, "back.db");
  const moveBack = () => runThere(["move", "--to-file", back]);
  expect(await run(["move", "--to-file", back])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("DATABASE_URL"),
  });
  expect(await run(["move", "--to", url, "--to-file", back])).toMatchObject({ code: 2 });
  expect(await moveBack()).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is empty") });
  expect((await run(["move", "--to", url])).code).toBe(0);
  for (const path of [back, `${back}-wal`]) {
    writeFileSync(path, "");
    expect(await moveBack()).toMatchObject({ code: 1, stderr: `${path} already exists.\n` });
    rmSync(path);
  }
  const elsewhere = join(folder, "missing", "back.db");
  expect(await runThere(["move", "--to-file", elsewhere])).toMatchObject({
    code: 1,
    stderr: `There is no folder ${join(folder, "missing")}.\n`,
  });

  const latchkey = await startLatchkey({ environment: { DATABASE_URL: url, SECRET_FILE: secretFile() } });
  expect(await moveBack()).toMatchObject({ code: 1, stderr: expect.stringContaining("Stop the servers") });
  await latchkey.stop();
  await ask("UPDATE resellers SET credits_tenths = credits_tenths + 1 WHERE id = (SELECT min(id) FROM resellers)");
  expect(await moveBack()).toMatchObject({ code: 1, stderr: expect.stringContaining("not the sum of its ledger") });
  expect(readdirSync(folder).sort()).toEqual(["latchkey.db", "latchkey.lock", "secret"]);
}, 60_000);

test("check reports what is wrong on either engine", async () => {
  openShop();
  expect((await run(["check"])).code).toBe(0);
  await run(["move", "--to", url]);
  await ask("UPDATE resellers SET credits_tenths = credits_tenths + 1 WHERE id = (SELECT min(id) FROM resellers)");
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run(
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO key_devices (key_id, device_id, first_connected_at) SELECT (SELECT max(id) FROM license_keys), 'one-more-' || i, 1 FROM n",
  );
  connection.close();
  for (const [finished, problem] of [
    [await run(["check"]), "a key has more devices than its limit"],
    [await runThere(["check"]), "a balance is not the sum of its ledger"],
  ] as const) {
    expect([finished.code, finished.stderr.trim()]).toEqual([1, `The database is damaged: ${problem}.`]);
  }
}, 60_000);
