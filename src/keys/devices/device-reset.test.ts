import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { type Caller, createAuditedChanges } from "../../accounts/audited-changes.ts";
import { full } from "../../accounts/schema.ts";
import type { Database } from "../../db/contract.ts";
import { resetAllDevices } from "./device-reset.ts";

/** Several batches, and a gap in the ids that is larger than a batch. */
const keys = 900;
const idAfterGap = 50_000;

let panel: Panel;
let admin: Client;
beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  await panel.database.transaction(null, async ({ sql }) => {
    for (let key = 1; key <= keys; key += 1) {
      const id = key === keys ? idAfterGap : key;
      await sql`
        INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
        VALUES (${id}, ${`KEY-${key}`}, ${`key-${key}`}, 3, 2, 1, 9000000000000, 1)`;
    }
  });
});

afterAll(() => panel.close());

/** Two devices for every key except each tenth. */
beforeEach(() =>
  panel.database.transaction(null, async ({ sql }) => {
    await sql`DELETE FROM key_devices`;
    await sql`
      INSERT INTO key_devices (key_id, device_id, first_connected_at)
      SELECT id, 'old-1', 1 FROM license_keys WHERE id % 10 <> 9 UNION ALL SELECT id, 'old-2', 1 FROM license_keys WHERE id % 10 <> 9`;
  }),
);

const keysInUse = keys - keys / 10;

const verify = (key: number, deviceId: string) =>
  panel.newClient().post("/api/verify", { key: `KEY-${key}`, deviceId, game: "FREE FIRE" });

/** Keys with more devices than their limit. */
const overfull = () => panel.database.read`
  SELECT id FROM license_keys k WHERE device_limit < (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id)`;

const devicesNamed = (pattern: string) =>
  panel.database.read`SELECT id FROM key_devices WHERE device_id LIKE ${pattern}`;

test("a reset during verifications removes all earlier devices, and no key exceeds its limit", async () => {
  // No other player uses it. From here on it is cached.
  await verify(keys, "old-1");
  let isOver = false;
  const playing = Array.from({ length: 8 }, async (_, player) => {
    for (let key = player + 1; !isOver; key = ((key + 7) % (keys - 1)) + 1) {
      const { status, body } = await verify(key, `new-${player}`);
      expect([status, ["VALID", "DEVICE_LIMIT_REACHED"]]).toEqual([200, expect.arrayContaining([body.code])]);
    }
  });
  const { status, body } = await admin.post("/api/admin/keys/reset-devices");
  isOver = true;
  await Promise.all(playing);
  expect(status).toBe(200);
  expect(body.resetCount).toBeGreaterThanOrEqual(keysInUse);
  expect(body.resetCount).toBeLessThanOrEqual(keys);
  expect(await devicesNamed("old-%")).toEqual([]);
  expect(await overfull()).toEqual([]);
  expect((await verify(keys, "old-1")).body).toMatchObject({ code: "VALID", currentDevices: 1 });
  expect(await devicesNamed("old-1")).toHaveLength(1);
});

test("each reset key has one event, and the audit log one row", async () => {
  const [before] = await panel.database.read<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM key_events`;
  const { body } = await admin.post("/api/admin/keys/reset-devices");
  expect(body).toEqual({ resetCount: keysInUse });
  const events = await panel.database.read`
    SELECT key_id FROM key_events WHERE id > ${before?.id ?? 0} AND what = 'DEVICES_RESET' GROUP BY key_id HAVING count(*) = 1`;
  expect(events).toHaveLength(keysInUse);
  const [newest, second] = (await admin.get("/api/admin/audit?limit=2")).body;
  expect(newest).toMatchObject({ action: "devices_reset", target: "all keys", details: { keys: keysInUse } });
  expect(second.id).toBeLessThan(newest.id);
});

test("two resets at once count each key once", async () => {
  const responses = await Promise.all([1, 2].map(() => admin.post("/api/admin/keys/reset-devices")));
  expect(responses.reduce((sum, { body }) => sum + body.resetCount, 0)).toBe(keysInUse);
  expect(await overfull()).toEqual([]);
});

test("after the admin's session ends no further batch runs, and every key is either reset or unchanged", async () => {
  const other = await signInAdmin(panel.newClient);
  const [{ id: sessionId }] = (await other.get("/api/auth/sessions")).body;
  const caller: Caller = {
    id: 1,
    username: "admin",
    role: "admin",
    ...full,
    sessionId,
    address: "::1",
    requestId: "r",
  };
  const { database } = panel;
  const now = () => panel.clock.now;
  let batches = 0;
  const endingSession: Database = {
    ...database,
    async transaction(queue, work) {
      batches += 1;
      if (batches === 3) await other.post("/api/auth/logout");
      return database.transaction(queue, work);
    },
  };
  const changes = createAuditedChanges({ database: endingSession, now });
  const reset = resetAllDevices({ database, changes, now }, caller);
  expect(await reset.catch((error) => error)).toMatchObject({ code: "NOT_SIGNED_IN" });
  expect(batches).toBe(3);
  const left = await devicesNamed("old-%");
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(2 * keysInUse);
  expect(await overfull()).toEqual([]);
});
