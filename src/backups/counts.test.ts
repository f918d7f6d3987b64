import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openTestDatabase } from "../../tests/database.ts";
import { startedRow } from "../../tests/key-times.ts";
import { temporaryFolder } from "../../tests/process.ts";
import type { Database, Unit } from "../db/contract.ts";
import { devicesOf, removeDevice, resetDevices } from "../keys/devices/device-store.ts";
import { deleteKeys, insertImported, nextKeysOf } from "../keys/imported-store.ts";
import { insertKey, noteKeys } from "../keys/store.ts";
import { addToImport, countDeleted, ordersOfImport } from "../orders/imported-store.ts";
import { connectDevice } from "../verify/store.ts";
import { summarize } from "./queries.ts";
import { collectionNames } from "./store.ts";

const at = Date.UTC(2025, 2, 5);
const keyIds = [1, 2, 3];

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "test.db"));
  await database.transaction(null, async ({ sql }) => {
    await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'admin', 'x', 1)`;
    await sql`INSERT INTO imports (made_by, created_at, is_dry_run, state) VALUES (1, ${at}, 0, 'running')`;
    for (const id of keyIds) {
      const times = { createdAt: at - 1, expiresAt: at + 1, ...startedRow };
      const key = { keyString: `KEY-${id}`, gameId: 3, deviceLimit: 100, ...times };
      await insertKey(sql, { ...key, resellerId: null, createdBy: 1, orderId: null });
    }
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports a key with two devices and an event. */
async function importKey(unit: Unit): Promise<void> {
  const shared = { resellerId: null, gameId: 3, deviceLimit: 100, durationHours: null, isFirstUse: 0 };
  const orderId = await addToImport(unit.sql, { ...shared, importId: 1, madeBy: 1, at, count: 1, days: 1 });
  const times = { createdAt: at - 1, expiresAt: at + 1, startedAt: at - 1, pausedAt: at, revokedAt: null };
  serial += 1;
  const keyString = `IMPORTED-${serial}`;
  const key = { ...shared, ...times, keyString, createdBy: 1, orderId, note: null, devices: ["one", "two"] };
  await insertImported(unit, [key], at);
}
let serial = 0;

async function undoImport(unit: Unit): Promise<void> {
  const [order] = await ordersOfImport(unit.sql, 1);
  if (!order) return;
  const ids = await nextKeysOf(unit.sql, order.id, 100);
  await deleteKeys(unit, ids);
  await countDeleted(unit.sql, order, ids.length);
}

type Change = (unit: Unit) => Promise<unknown>;
const keyId = fc.constantFrom(...keyIds);
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(keyId, fc.nat({ max: 8 })).map(
    ([id, device]): Change =>
      (unit) =>
        connectDevice(unit, { keyId: id, text: `key-${id}`, deviceId: `phone-${device}`, at }),
  ),
  fc.tuple(keyId, fc.nat({ max: 8 }), fc.constantFrom("DEVICE_REMOVED", "DEVICE_RELEASED", "DEVICE_IDLE")).map(
    ([id, place, what]): Change =>
      async (unit) => {
        const devices = await devicesOf(unit.sql, id);
        const device = devices[place % devices.length];
        if (device) await removeDevice(unit, { keyId: id, deviceRowId: device.id, madeBy: 1, at, what });
      },
  ),
  fc.tuple(keyId, keyId).map(
    ([first, last]): Change =>
      (unit) =>
        resetDevices(unit, { first, last, madeBy: 1, at }),
  ),
  fc.tuple(keyId, fc.constantFrom("a", "b", null)).map(
    ([id, note]): Change =>
      (unit) =>
        noteKeys(unit, [id], { owner: "admins", note, madeBy: 1, at }),
  ),
  fc.constant<Change>(importKey),
  fc.constant<Change>(undoImport),
);

/** Several changes in one transaction, which may be rolled back, and whether the counts are checked afterwards. */
const several = fc.record({
  together: fc.array(changes, { minLength: 1, maxLength: 4 }),
  undone: fc.boolean(),
  looks: fc.boolean(),
});

test("an incremental count equals the number of rows after any connections, removals, resets and rollbacks", async () => {
  /** Replaces the worker's memory. */
  const kept = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(several, { minLength: 1, maxLength: 6 }), async (units) => {
      for (const { together, undone, looks } of units) {
        const work = async (unit: Unit) => {
          for (const change of together) await change(unit);
          if (undone) throw new Error("undone");
        };
        await database.transaction(null, work).catch((error) => expect(error.message).toBe("undone"));
        if (looks) expect(await countsFrom(kept)).toEqual(await countsFrom(new Map()));
      }
      expect(await countsFrom(kept)).toEqual({ ...(await countsFrom(new Map())), ...(await counted()) });
    }),
    { numRuns: 40 },
  );
});

async function countsFrom(kept: Parameters<typeof summarize>[1]): Promise<Record<string, number>> {
  const rows = await summarize(database.read, kept);
  return Object.fromEntries(rows.map(({ count }, index) => [collectionNames[index] as string, count]));
}

async function counted() {
  const [row] = await database.read`
    SELECT (SELECT count(*) FROM key_devices) AS key_devices, (SELECT count(*) FROM key_events) AS key_events`;
  return row as object;
}
