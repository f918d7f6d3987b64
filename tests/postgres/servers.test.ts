import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Database } from "../../src/db/contract.ts";
import { openPostgres } from "../../src/db/postgres/postgres.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { runLatchkey, sharedSecret } from "../process.ts";

let url: string;
let drop: () => Promise<void>;
let sql: Bun.SQL;
let opened: Database[];
beforeEach(async () => {
  ({ url, drop } = await makePostgresDatabase(testServer as string));
  sql = new SQL(url, { max: 1 });
  opened = [];
});
afterEach(async () => {
  await Promise.all([sql.close(), ...opened.map((database) => database.close())]);
  await drop();
});

function open(address: string): Database {
  const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
  const database = openPostgres({ url: address, listenUrl: address, poolSize: 2 }, { randomBytes });
  opened.push(database);
  return database;
}

/** The address with a second server, where none runs. */
const withDeadServer = () => url.replace("@", "@127.0.0.1:1,");
const run = (words: string[], environment: Record<string, string> = {}) =>
  runLatchkey(words, { environment: { DATABASE_URL: url, SECRET: sharedSecret, ...environment } });
const note = (database: Database) =>
  database.transaction(null, ({ sql: unit }) => unit`UPDATE schema_migrations SET applied_at = 1 WHERE version = 1`);
const refusal = { code: "STORAGE_UNAVAILABLE", details: { retryAfterSeconds: expect.any(Number) } };

describe("of several servers", () => {
  test("the one that accepts writes is used for everything, although another is down", async () => {
    expect(await run(["migrate"], { DATABASE_URL: withDeadServer() })).toMatchObject({ code: 0, stderr: "" });
    const database = open(withDeadServer());
    await note(database);
    expect(await database.read`SELECT applied_at FROM schema_migrations WHERE version = 1`).toEqual([
      { applied_at: 1 },
    ]);
    let isHeard = false;
    database.subscribe({
      event() {
        isHeard = true;
      },
      missed() {},
    });
    await database.exclusive("job", async () => {
      while (!isHeard)
        await database.transaction(null, async ({ publish }) => publish({ about: "sessions", ended: [1] }));
    });
    expect(isHeard).toBe(true);
  });

  test("none that accepts writes is a refused start", async () => {
    const address = `${withDeadServer()}?options=-c%20default_transaction_read_only%3Don`;
    expect(await run(["admin", "list"], { DATABASE_URL: address })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database at 127\.0\.0\.1:1 and 127\.0\.0\.1:\d+ accepts no writes/),
    });
  });
});

describe("a server that accepts no more writes", () => {
  const setReadOnly = async (value: string) => {
    const name = new URL(url).pathname.slice(1);
    await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  };
  const cutOff = () =>
    sql.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);

  test("is read no more once the connection was lost, because it may be an outdated standby", async () => {
    const database = open(url);
    await database.read`SELECT 1`;
    await setReadOnly("on");
    await cutOff();
    expect(await database.read`SELECT 1`.catch((error) => error)).toMatchObject(refusal);
    await setReadOnly("off");
    let found: unknown;
    while (!Array.isArray(found)) {
      await new Promise(setImmediate);
      found = await database.read`SELECT 1 AS one`.catch((error) => error);
    }
    expect(found).toEqual([{ one: 1 }]);
  });

  test("refuses one unit, and its connection is replaced", async () => {
    const database = open(url);
    await database.read`SELECT set_config('default_transaction_read_only', 'on', false)`;
    expect(await note(database).catch((error) => error)).toMatchObject(refusal);
    await note(database);
  });
});
