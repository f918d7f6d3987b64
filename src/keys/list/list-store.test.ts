import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { startedRow } from "../../../tests/key-times.ts";
import { temporaryFolder } from "../../../tests/process.ts";
import { msPerDay, msPerHour } from "../../core/clock.ts";
import { foldedKeyText } from "../../core/key-text.ts";
import { compose, type Database, type SqlArgument, type SqlValue, type Unit } from "../../db/contract.ts";
import { migrate, releasedMigrations } from "../../db/migrate/migrations.ts";
import { pageOf } from "../../db/paging.ts";
import { openSqlite } from "../../db/sqlite/sqlite.ts";
import { readStats } from "../../reports/store.ts";
import { insertReseller } from "../../resellers/store.ts";
import { type KeyRow, lookAlikeText, statusOf } from "../model.ts";
import { keySorts, keyStatuses } from "../schema.ts";
import { countMade, insertKey, revokeKey } from "../store.ts";
import { countKeys, type KeyFilter, type KeyOrder, listKeys, sortValueOf } from "./list-store.ts";

const noon = Date.UTC(2025, 2, 5, 12);
const owners = ["admins", { resellerId: 2 }, { resellerId: 3 }] as const;

let folder: string;
let file: string;
let database: Database;
const keys: (KeyRow & { gameId: number; owner: KeyFilter["owner"] })[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  file = join(folder, "test.db");
  migrate(file, releasedMigrations(), () => noon);
  database = openSqlite(file);
  await database.transaction(null, async (unit) => {
    const { sql } = unit;
    await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'admin', 'x', 1)`;
    for (const id of [2, 3]) {
      await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', ${`reseller${id}`}, 'x', 1)`;
      await insertReseller(sql, id);
    }
    const random = fc.sample(fc.tuple(...Array.from({ length: 6 }, () => fc.nat())), { numRuns: 120, seed: 7 });
    for (const [batch, numbers] of random.entries()) await addBatch(unit, batch, numbers);
  });
});

afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Batches of 1 to 3 keys of the last ten days, which expire before, at or after noon. Every fourth batch has a revoked
 * key.
 */
async function addBatch(unit: Unit, batch: number, [a = 0, b = 0, c = 0, d = 0, e = 0]: number[]): Promise<void> {
  const { sql } = unit;
  const owner = owners[a % owners.length] ?? "admins";
  const resellerId = owner === "admins" ? null : owner.resellerId;
  const made = {
    ...{
      resellerId,
      createdBy: resellerId ?? 1,
      gameId: 1 + (b % games),
      deviceLimit: 100,
      orderId: null,
    },
    ...{ createdAt: noon - 10 * msPerDay + (c % 20) * msPerHour },
    ...startedRow,
    expiresAt: noon + ((d % 41) - 20) * msPerHour + ((d % 7) - 3) * msPerDay,
  };
  const count = 1 + (e % 3);
  for (let index = 0; index < count; index += 1) {
    const keyString = `Key-${batch.toString(36)}x${index}`;
    const id = (await insertKey(sql, { ...made, keyString })) as number;
    const deviceCount = (batch + index) % 4;
    for (let device = 0; device < deviceCount; device += 1)
      await sql`INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (${id}, ${`phone-${device}`}, 1)`;
    keys.push({ id, keyString, game: "", ...made, deviceCount, revokedAt: null, note: null, owner });
  }
  await countMade(sql, made, count);
  const last = keys.at(-1);
  if (batch % 4 === 0 && last) {
    expect(await revokeKey(unit, last.id, { owner: "anyone", revokedBy: 1, at: noon, evenExpired: true })).toBeTrue();
    expect(await revokeKey(unit, last.id, { owner: "anyone", revokedBy: 1, at: noon, evenExpired: true })).toBeFalse();
    last.revokedAt = noon;
  }
}

const games = 3;

/** Noon, night, and the very instants at which a day begins or a key expires. */
const instants = [noon, noon + 12 * msPerHour - 1, noon + 12 * msPerHour, noon + 5 * msPerHour, noon - 9 * msPerDay];
const searches = [
  undefined,
  { text: "X1", close: false },
  { text: "key-3", close: false },
  { text: "keyl", close: true },
];

const filters: KeyFilter[] = owners.flatMap((owner) =>
  instants.flatMap((at) =>
    [undefined, 1, 2, games].flatMap((gameId) =>
      [undefined, ...keyStatuses].flatMap((status) =>
        searches.map((search) => ({ owner, at, gameId, status, search })),
      ),
    ),
  ),
);

function matching({ owner, at, gameId, status, search }: KeyFilter) {
  const read = (text: string) => (search?.close ? lookAlikeText(foldedKeyText(text)) : foldedKeyText(text));
  return keys.filter(
    (key) =>
      key.owner === owner &&
      (gameId === undefined || key.gameId === gameId) &&
      (status === undefined || statusOf(key, at) === status) &&
      (search === undefined || read(key.keyString).includes(read(search.text))),
  );
}

test("counts are right at every instant and with every filter", async () => {
  for (const filter of filters)
    expect([filter, await countKeys(database.read, filter)]).toEqual([filter, matching(filter).length]);
});

test("the statistics count all ACTIVE keys", async () => {
  for (const at of instants) {
    const { activeKeys, totalAdminKeys } = await readStats(database.read, at);
    expect(activeKeys).toBe(keys.filter((key) => statusOf(key, at) === "ACTIVE").length);
    expect(totalAdminKeys).toBe(keys.filter(({ owner }) => owner === "admins").length);
  }
});

const orders = keySorts.flatMap((sort) => [true, false].map((descending): KeyOrder => ({ sort, descending })));
const isCursor = (values: unknown[]): values is [string | number, number] => values.length === 2;

/**
 * Few matches are found and sorted, many are met on a walk. The given count decides how, but not which keys are
 * returned.
 */
test.each([
  ["found and sorted", 0],
  ["walked", 1_000_000],
])("a list that is %s has the matching keys in order over all pages", async (_, matchCount) => {
  for (const [index, filter] of filters.entries()) {
    const order = orders[index % orders.length] as KeyOrder;
    const expected = matching(filter).toSorted((a, b) => {
      const [x, y] = [sortValueOf(a, order.sort), sortValueOf(b, order.sort)];
      const rising = x < y || (x === y && a.id < b.id) ? -1 : 1;
      return order.descending ? -rising : rising;
    });
    const whole = await listKeys(database.read, filter, order, pageOf({}, isCursor), matchCount);
    expect(whole.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    const [, , third] = whole;
    if (!third) continue;
    const after: [string | number, number] = [sortValueOf(third, order.sort), third.id];
    const page = { ...pageOf({ limit: 4 }, isCursor), after };
    expect(await listKeys(database.read, filter, order, page, matchCount)).toEqual(whole.slice(3, 8));
  }
});

const page = { ...pageOf({ limit: 30 }, isCursor), after: [0, 1] as [number, number] };

test.each([undefined, ...keyStatuses])(
  "a page of many keys (%s) is read in index order, with and without statistics",
  async (status) => {
    const connection = new Connection(file);
    for (const prepare of ["DROP TABLE IF EXISTS sqlite_stat1", "ANALYZE"]) {
      connection.run(prepare);
      for (const order of orders) {
        let plan = "";
        const explain = async (strings: TemplateStringsArray, ...values: SqlArgument[]) => {
          const { text, values: bound } = compose({ strings, values });
          const steps = connection.query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${text}`).all(...bound);
          plan = steps.map(({ detail }) => detail).join("; ");
          return [];
        };
        await listKeys(explain, { owner: { resellerId: 2 }, at: noon, status }, order, page, 1_000_000);
        expect([order, plan]).toEqual([order, expect.stringMatching(/^SEARCH k USING INDEX \w+ \(reseller_id=\?/)]);
      }
    }
    connection.close();
  },
);
