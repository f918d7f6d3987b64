import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openTestDatabase } from "../../tests/database.ts";
import { startedRow } from "../../tests/key-times.ts";
import { temporaryFolder } from "../../tests/process.ts";
import type { Database } from "../db/contract.ts";
import { devicesOf } from "../keys/devices/device-store.ts";
import { insertKey } from "../keys/store.ts";
import { connectDevice, createBatchedFind, findKey } from "./store.ts";
import type { Lookup } from "./verdict.ts";

const at = Date.UTC(2025, 2, 5);

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "test.db"));
  await database.transaction(
    null,
    ({ sql }) =>
      sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'admin', 'x', 1)`,
  );
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

let keys = 0;
async function newKey({ deviceLimit = 2, expiresAt = at + 1 } = {}): Promise<number> {
  keys += 1;
  const key = { keyString: `KEY-${keys}`, gameId: 3, deviceLimit, createdAt: at - 2, expiresAt, ...startedRow };
  const row = { ...key, resellerId: null, createdBy: 1, orderId: null };
  return (await database.transaction(null, ({ sql }) => insertKey(sql, row))) as number;
}

describe("a device that connects", () => {
  const connect = async (keyId: number, deviceId: string) =>
    (await database.transaction(`key ${keyId}`, (unit) =>
      connectDevice(unit, { keyId, text: `key-${keyId}`, deviceId, at }),
    )) !== null;
  const connected = async (keyId: number) =>
    (await devicesOf(database.read, keyId)).map(({ deviceId, firstConnectedAt }) => [deviceId, firstConnectedAt]);

  test("takes a slot while there is one", async () => {
    const id = await newKey();
    expect([await connect(id, "a"), await connect(id, "b"), await connect(id, "c")]).toEqual([true, true, false]);
    const rows = [
      ["a", at],
      ["b", at],
    ];
    expect(await connected(id)).toEqual(rows);
  });

  test("takes no second slot", async () => {
    const id = await newKey();
    expect([await connect(id, "a"), await connect(id, "a"), await connect(id, "b")]).toEqual([true, false, true]);
  });

  test("takes no slot of a key that has expired, is revoked or does not exist", async () => {
    const expired = await newKey({ expiresAt: at });
    const revoked = await newKey();
    await database.transaction(
      null,
      ({ sql }) => sql`UPDATE license_keys SET revoked_at = ${at}, revoked_by = 1 WHERE id = ${revoked}`,
    );
    expect([await connect(expired, "a"), await connect(revoked, "a"), await connect(1e9, "a")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([await connected(expired), await connected(revoked)]).toEqual([[], []]);
  });
});

test("no device takes a slot once maintenance of the game has begun", async () => {
  const id = await newKey();
  const setMaintenance = (sentence: string | null) =>
    database.transaction(null, ({ sql }) => sql`UPDATE games SET maintenance = ${sentence} WHERE id = 3`);
  const connect = async () =>
    (await database.transaction(`key ${id}`, (unit) =>
      connectDevice(unit, { keyId: id, text: `key-${id}`, deviceId: "a", at }),
    )) !== null;
  await setMaintenance("Back soon.");
  expect(await connect()).toBeFalse();
  await setMaintenance(null);
  expect(await connect()).toBeTrue();
});

describe("keys that are found together", () => {
  const from = (text: string, deviceId = "a", game = "Free Fire"): Lookup => ({
    text,
    game,
    deviceId,
    version: null,
    deviceName: null,
    language: "en",
  });

  test("are each what they are when found alone", async () => {
    const connected = await newKey();
    await database.transaction(null, (unit) =>
      connectDevice(unit, { keyId: connected, text: `key-${connected}`, deviceId: "a", at }),
    );
    for (let made = 0; made < 40; made += 1) await newKey({ deviceLimit: made + 1 });
    const asked = Array.from({ length: keys + 2 }, (_, number) => from(`key-${number}`));
    asked.push(from(`key-${keys}`, "b"), from(`key-${keys}`), from("it's"), from("key-1", "a", "PUBG MOBILE"));
    asked.push(from("key-1", "a", "Chess"));
    const find = createBatchedFind(database.read);
    const together = await Promise.all(asked.map((lookup) => find(lookup)));
    const alone = await Promise.all(asked.map((lookup) => findKey(database.read, lookup)));
    expect(together).toEqual(alone);
    expect(together.filter(({ key }) => key === null)).toHaveLength(5);
    expect(together.filter(({ isGame }) => !isGame)).toHaveLength(1);
    expect(together.filter(({ key }) => key?.isConnected).map(({ key }) => key?.id)).toContain(connected);
  });

  test("fail together, and those of the next turn do not", async () => {
    let isDown = true;
    const find = createBatchedFind((strings, ...values) =>
      isDown ? Promise.reject(new Error("The connection was lost.")) : database.read(strings, ...values),
    );
    const failed = await Promise.allSettled([find(from("key-1")), find(from("key-2"))]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    expect((await find(from("key-1"))).key).toMatchObject({ deviceLimit: 2 });
  });
});
