/* Only for SQLite: PostgreSQL has no key cache. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openTestDatabase } from "../../tests/database.ts";
import { startedRow } from "../../tests/key-times.ts";
import { temporaryFolder } from "../../tests/process.ts";
import type { Database, Unit } from "../db/contract.ts";
import { connectDevice } from "../verify/store.ts";
import { devicesOf, removeDevice, removeDevices, resetDevices } from "./devices/device-store.ts";
import { insertKey, noteKeys, revokeKey, revokeKeys, revokeUnused } from "./store.ts";

const at = Date.UTC(2025, 2, 5);
const orderId = 1;

let folder: string;
let database: Database;
let reported: number[] = [];

/** Ten keys with the ids 1 to 10. The even ones have a device. */
beforeAll(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "test.db"), (keyIds) => {
    reported = [...keyIds];
  });
  await database.transaction(null, async (unit) => {
    const { sql } = unit;
    await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'admin', 'x', 1)`;
    await sql`INSERT INTO orders (made_by, game_id, device_limit, days, key_count, cost_tenths, created_at)
      VALUES (1, 3, 2, 30, 10, 0, 1)`;
    const key = { gameId: 3, deviceLimit: 2, createdAt: at - 1, expiresAt: at + 1, ...startedRow, createdBy: 1 };
    for (let id = 1; id <= 10; id += 1)
      await insertKey(sql, { ...key, keyString: `KEY-${id}`, resellerId: null, orderId });
    for (let keyId = 2; keyId <= 10; keyId += 2)
      await connectDevice(unit, { keyId, text: `key-${keyId}`, deviceId: "phone", at });
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The keys that a unit reports, sorted. */
async function changedBy(work: (unit: Unit) => Promise<unknown>): Promise<number[]> {
  reported = [];
  await database.transaction(null, work);
  return reported.sort((a, b) => a - b);
}

const revocation = { owner: "anyone", revokedBy: 1, at, evenExpired: true } as const;
const note = { owner: "admins", note: "sold", madeBy: 1, at } as const;

test("every change of keys or devices reports exactly the changed keys", async () => {
  const connect = (keyId: number) =>
    changedBy((unit) => connectDevice(unit, { keyId, text: `key-${keyId}`, deviceId: "phone", at }));
  expect(await connect(1)).toEqual([1]);
  expect(await connect(1)).toEqual([]);

  const [device] = await devicesOf(database.read, 1);
  const removed = { keyId: 1, deviceRowId: device?.id ?? 0, madeBy: 1, at };
  expect(await changedBy((unit) => removeDevice(unit, removed))).toEqual([1]);
  expect(await changedBy((unit) => removeDevice(unit, removed))).toEqual([]);

  const device2 = { deviceId: "phone", text: "key-2", keyId: 2, at };
  expect(await changedBy((unit) => removeDevices(unit, { keyId: 2, madeBy: 1, at }))).toEqual([2]);
  expect(await changedBy((unit) => connectDevice(unit, device2))).toEqual([2]);
  expect(await changedBy((unit) => resetDevices(unit, { first: 1, last: 7, madeBy: 1, at }))).toEqual([2, 4, 6]);
  expect(await changedBy((unit) => noteKeys(unit, [3, 5], note))).toEqual([3, 5]);
  expect(await changedBy((unit) => noteKeys(unit, [5, 6], note))).toEqual([6]);
  expect(await changedBy((unit) => revokeKey(unit, 1, revocation))).toEqual([1]);
  expect(await changedBy((unit) => revokeKeys(unit, [1, 2, 3], revocation))).toEqual([2, 3]);
  expect(await changedBy((unit) => revokeUnused(unit, { orderId, revokedBy: 1, at }))).toEqual([4, 5, 6, 7, 9]);
});
