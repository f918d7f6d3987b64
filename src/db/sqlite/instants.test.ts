import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import type { Database, KeyAsRead } from "../contract.ts";
import { openSqlite } from "./sqlite.ts";

let folder: string;
let database: Database;
let other: Connection;

beforeEach(async () => {
  folder = temporaryFolder();
  database = openSqlite(join(folder, "test.db"));
  await database.transaction((sql) => sql`CREATE TABLE devices (key_id INTEGER NOT NULL, name TEXT UNIQUE) STRICT`);
  other = new Connection(join(folder, "test.db"), { readwrite: true });
});
afterEach(async () => {
  other.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds a device to a key, and answers whether the key was known to be as it was read. */
const add = (key: KeyAsRead, name: string) =>
  database.beside(key, async (sql, isAsRead) => {
    await sql`INSERT INTO devices VALUES (${key.id}, ${name})`;
    return isAsRead;
  });
const read = (id: number): KeyAsRead => ({ id, readAt: database.instant() });
const write = () => database.transaction((sql) => sql`INSERT INTO devices VALUES (0, NULL)`);
const names = async () =>
  (await database.read<{ name: string }>`SELECT name FROM devices WHERE name IS NOT NULL ORDER BY rowid`).map(
    ({ name }) => name,
  );

test("a key is as it was read where nothing has been committed since", async () => {
  expect(await add(read(1), "first")).toBe(true);
  expect(await add(read(1), "second")).toBe(true);
  expect(await names()).toEqual(["first", "second"]);
});

test("in one commit, each key is so for the first unit that is about it", async () => {
  const [one, two] = [read(1), read(2)];
  expect(await Promise.all([add(one, "a"), add(two, "b"), add(one, "c"), add(two, "d")])).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("no key is so behind a transaction, which may have changed any", async () => {
  const key = read(1);
  const [before, , behind] = await Promise.all([add(read(2), "before"), write(), add(key, "behind")]);
  expect([before, behind]).toEqual([true, false]);
});

test("nor after a commit since, of this process or of another", async () => {
  const before = read(1);
  await write();
  expect(await add(before, "after our own")).toBe(false);

  const beforeOther = read(1);
  other.run("INSERT INTO devices VALUES (0, NULL)");
  expect(await add(beforeOther, "after another's")).toBe(false);
  expect(await add(read(1), "read anew")).toBe(true);
});

test("nor where it was read while another commit was under way, nor where nobody knows when", async () => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const underWay = database.transaction(async (sql) => {
    begun.resolve();
    await goOn.promise;
    return sql`INSERT INTO devices VALUES (0, NULL)`;
  });
  await begun.promise;
  const meanwhile = add(read(1), "meanwhile");
  goOn.resolve();
  await underWay;
  expect(await meanwhile).toBe(false);
  expect(await add({ id: 1, readAt: null }, "some time ago")).toBe(false);
});

test("what fails takes nothing from those that share its commit", async () => {
  await add(read(1), "taken");
  const settled = await Promise.allSettled([add(read(2), "new"), add(read(3), "taken"), add(read(4), "newer")]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await names()).toEqual(["taken", "new", "newer"]);
});
