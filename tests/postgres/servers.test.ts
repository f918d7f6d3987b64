import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Database } from "../../src/db/contract.ts";
import { openPostgres } from "../../src/db/postgres/postgres.ts";
import { refuseUnfitServer } from "../../src/db/postgres/postgres-server.ts";
import { writeCertificate } from "../certificate.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { startPostgres } from "../postgres-server.ts";
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

/** A database that could not be reached is tried again shortly afterwards. */
async function untilRead(database: Database): Promise<void> {
  while (!(await database.read`SELECT 1`.catch(() => null))) await new Promise(setImmediate);
}

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

  test("none that accepts writes prevents the start", async () => {
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
    await untilRead(database);
  });

  test("refuses one unit, and its connection is replaced", async () => {
    const database = open(url);
    await database.read`SELECT set_config('default_transaction_read_only', 'on', false)`;
    expect(await note(database).catch((error) => error)).toMatchObject(refusal);
    await note(database);
  });
});

test("a server that no longer accepts our user counts as unreachable, and is used again later", async () => {
  const role = `clerk_${crypto.randomUUID().replaceAll("-", "")}`;
  await sql.unsafe(`CREATE ROLE ${role} LOGIN SUPERUSER`);
  const database = open(url.replace("latchkey@", `${role}@`));
  await sql.unsafe(`ALTER ROLE ${role} NOLOGIN`);
  expect(await database.read`SELECT 1`.catch((error) => error)).toMatchObject(refusal);
  const stream = database.stream({ name: "none", async *pieces() {} }, null, { id: 1, role: "admin" });
  expect(await stream.catch((error) => error)).toMatchObject(refusal);
  await sql.unsafe(`ALTER ROLE ${role} LOGIN`);
  await untilRead(database);
  await database.close();
  await sql.unsafe(`DROP ROLE ${role}`);
});

describe("an option of the address", () => {
  test.each([
    ["", { name: "latchkey", path: '"$user", public', encoding: "UTF8" }],
    ["application_name=shop&pgbouncer=true", { name: "shop", path: '"$user", public', encoding: "UTF8" }],
    ["schema=Shop&client_encoding=LATIN1", { name: "latchkey", path: '"Shop"', encoding: "UTF8" }],
  ])("takes effect: %p", async (options, settings) => {
    const found = await open(`${url}?${options}`).read`SELECT current_setting('application_name') AS name,
      current_setting('search_path') AS path, current_setting('client_encoding') AS encoding`;
    expect(found).toEqual([settings]);
  });

  test.each([
    ["surprise=1", 'refuses an option of DATABASE_URL: unrecognized configuration parameter "surprise"'],
    ["statement_timeout=soon", "refuses an option of DATABASE_URL: invalid value"],
    ["options=endpoint%3Dx", "refuses an option of DATABASE_URL: invalid command-line argument"],
    ["channel_binding=require", "refuses an option of DATABASE_URL: channel binding required"],
  ])("that the database refuses is named in a sentence: %s", async (option, sentence) => {
    const address = `${url}?${option}`;
    const refused = refuseUnfitServer({ url: address, listenUrl: address, poolSize: 2 }).catch((error) => error);
    expect(await refused).toMatchObject({
      name: "OperatorError",
      exitCode: 2,
      message: expect.stringContaining(sentence),
    });
  });

  test("that is wrong stops a command with one sentence", async () => {
    for (const option of ["sslmode=always", "surprise=1"]) {
      const { code, stderr } = await run(["admin", "list"], { DATABASE_URL: `${url}?${option}` });
      expect([code, stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining("DATABASE_URL")]]);
    }
  });
});

test("PGDATABASE does not replace the database of the address", async () => {
  expect(await run(["admin", "list"], { PGDATABASE: "nowhere" })).toMatchObject({ code: 0, stderr: "" });
});

test("a user without the right to create tables gets a sentence that says so", async () => {
  const empty = await makePostgresDatabase(testServer as string, { isEmpty: true });
  const role = `guest_${crypto.randomUUID().replaceAll("-", "")}`;
  await sql.unsafe(`CREATE ROLE ${role} LOGIN`);
  const { code, stderr } = await run(["migrate"], { DATABASE_URL: empty.url.replace("latchkey@", `${role}@`) });
  await empty.drop();
  await sql.unsafe(`DROP ROLE ${role}`);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The tables cannot be created: permission denied for schema public/),
  ]);
});

test("sslmode, sslrootcert and channel_binding work with a server that offers TLS", async () => {
  const server = await startPostgres();
  const admin = new SQL(server.url, { max: 1 });
  const [{ data_directory: folder }] = await admin.unsafe("SHOW data_directory");
  const { certificateFile, keyFile } = writeCertificate(folder, "first");
  const { uid, gid } = statSync(folder);
  chownSync(keyFile, uid, gid);
  chmodSync(keyFile, 0o600);
  writeFileSync(join(folder, "pg_hba.conf"), "hostssl all all all scram-sha-256");
  await admin.unsafe("ALTER USER latchkey PASSWORD 'hush-hush'");
  await admin.unsafe("ALTER SYSTEM SET ssl_cert_file = 'first.crt'");
  await admin.unsafe("ALTER SYSTEM SET ssl_key_file = 'first.key'");
  await admin.unsafe("ALTER SYSTEM SET ssl = on");
  await admin.unsafe("SELECT pg_reload_conf()");
  await admin.close();
  const address = server.url.replace("latchkey@", "latchkey:hush-hush@");
  const fitness = (options: string) => {
    const url = `${address}?${options}`;
    return refuseUnfitServer({ url, listenUrl: url, poolSize: 2 }).catch((error) => error.message);
  };
  while (await fitness("sslmode=require&channel_binding=require")) await new Promise(setImmediate);
  expect(await fitness(`sslmode=verify-full&sslrootcert=${certificateFile}`)).toBeUndefined();
  expect(await fitness("sslmode=verify-full")).toContain("cannot be reached: self signed certificate");
  await server.stop();
}, 60_000);
