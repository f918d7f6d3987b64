import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { writeElsewhere } from "../../tests/elsewhere.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerMinute } from "../core/clock.ts";
import type { Database, Sql } from "../db/contract.ts";
import { standingOf } from "./devices/device-store.ts";
import { createStandings } from "./standings.ts";

/**
 * Verification answers connected devices from memory. Whatever is done to keys, at once or one after another, by this process or by
 * another: as soon as it is acknowledged, every device of every key must be told what the database says.
 */
let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: Connection;
const game = "FREE FIRE";
const devices = ["phone", "tablet", "console"];
const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "owner", credits: 100_000 });
  other = new Connection(panel.file);
});
afterAll(async () => {
  other.close();
  await panel.close();
});

interface Key {
  id: number;
  text: string;
}

async function buyKeys(count: number): Promise<Key[]> {
  const order = { game, deviceLimit: 2, days: 30, count };
  const { body } = await reseller.post("/api/reseller/keys/generate", order);
  return body.keys.map(({ id, keyString }: { id: number; keyString: string }) => ({ id, text: keyString }));
}

const ask = ({ text }: Key, deviceId: string) => panel.newClient().post("/api/verify", { key: text, deviceId, game });
const look = ({ text }: Key, deviceId: string) =>
  panel.newClient().get(`/api/verify/${text}/${encodeURIComponent(game)}/${deviceId}`);

async function removeDevice({ id }: Key, deviceId: string): Promise<void> {
  const { body } = await reseller.get(`/api/reseller/keys/${id}`);
  const row = body.devices.find((device: { deviceId: string }) => device.deviceId === deviceId);
  if (row) await reseller.post(`/api/reseller/keys/${id}/devices/${row.id}/remove`);
}

/** What people, game clients and other processes do. Each is over when it was acknowledged. */
const deeds = {
  ask,
  look,
  removeDevice,
  revokeAsAdmin: ({ id }: Key) => admin.call("DELETE", `/api/admin/keys/${id}`),
  revokeAsReseller: ({ id }: Key) => reseller.post(`/api/reseller/keys/${id}/revoke`),
  resetDevices: () => admin.post("/api/admin/keys/reset-devices", {}),
  revokeElsewhere: ({ id }: Key) =>
    writeElsewhere(other, "UPDATE license_keys SET revoked_at = created_at, revoked_by = 1 WHERE id = ?", [id]),
  rememberConnected: () => panel.app.standings.rememberConnected(),
  limitElsewhere: ({ id }: Key) =>
    writeElsewhere(other, "UPDATE license_keys SET device_limit = 100 WHERE id = ?", [id]),
};

const deed = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("ask" as const, "look" as const) },
    fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])),
  ),
  key: fc.nat({ max: 2 }),
  device: fc.constantFrom(...devices),
});

/** Deeds of one group are done at once. */
const groups = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

/** The verdict that the rows of this moment give, without what the database keeps in memory or the server does. */
async function expected({ text }: Key, deviceId: string) {
  const row = await standingOf(panel.database.read, text.toLowerCase(), deviceId);
  if (!row) throw new Error("A key is gone.");
  const isFull = row.isKnown === 0 && row.deviceCount >= row.deviceLimit;
  const code = row.revokedAt !== null ? "REVOKED" : isFull ? "DEVICE_LIMIT_REACHED" : "VALID";
  return { code, deviceLimit: row.deviceLimit, currentDevices: row.deviceCount };
}

test("what is remembered of connected devices is never older than the last change that was acknowledged", async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (inTurn) => {
      const keys = await buyKeys(3);
      const pairs = keys.flatMap((key) => devices.map((device) => [key, device] as const));
      // So that most of them are remembered when it begins.
      for (const [key, device] of pairs.slice(0, 8)) await ask(key, device);
      for (const atOnce of inTurn) {
        await Promise.all(atOnce.map(({ name, key, device }) => deeds[name](keys[key] as Key, device)));
        // Twice: the first look may be what is remembered for the second.
        for (const [key, device] of [...pairs, ...pairs]) {
          expect((await look(key, device)).body).toMatchObject(await expected(key, device));
        }
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

test("of a change that fails nothing is remembered either", async () => {
  const [key] = (await buyKeys(1)) as [Key];
  await ask(key, "phone");
  await look(key, "phone");
  other.run(
    "CREATE TRIGGER nobody_revokes BEFORE UPDATE OF revoked_at ON license_keys BEGIN SELECT raise(ABORT, 'no'); END",
  );
  expect((await admin.call("DELETE", `/api/admin/keys/${key.id}`)).status).toBe(500);
  other.run("DROP TRIGGER nobody_revokes");
  expect((await look(key, "phone")).body).toMatchObject(await expected(key, "phone"));
});

test("connected devices are remembered before they ask, but for keys that changed meanwhile", async () => {
  const [kept, changed] = (await buyKeys(2)) as [Key, Key];
  for (const key of [kept, changed]) await ask(key, "phone");
  const stream: Database["stream"] = async (...asked) => {
    const begun = await panel.database.stream(...asked);
    await standings.changing([changed.id], () =>
      panel.database.transaction(
        null,
        ({ sql }) => sql`UPDATE license_keys SET device_limit = 100 WHERE id = ${changed.id}`,
      ),
    );
    return begun;
  };
  const database = { ...panel.database, stream };
  const standings = createStandings({ database, randomBytes });
  await standings.rememberConnected();
  expect(standings.remembered(kept.text, "phone")).toMatchObject({ id: kept.id, deviceCount: 1, isKnown: 1 });
  expect(standings.remembered(changed.text, "phone")).toBeNull();
});

test("what another process makes forgotten is remembered anew, once a minute has passed since the last time", async () => {
  const [key] = (await buyKeys(1)) as [Key];
  await ask(key, "phone");
  const standings = createStandings({ database: panel.database, randomBytes });
  const msAtFirst = performance.now();
  let msPassed = 0;
  const clock = spyOn(performance, "now").mockImplementation(() => msAtFirst + msPassed);
  const end = standings.begin();
  const isRemembered = () => standings.remembered(key.text, "phone") !== null;
  while (!isRemembered()) await Bun.sleep(5);
  other.run("UPDATE accounts SET created_at = created_at WHERE id = 1");
  while (isRemembered()) await Bun.sleep(1);
  msPassed += msPerMinute;
  while (!isRemembered()) await Bun.sleep(5);
  end();
  clock.mockRestore();
});

test("a look-up that was under way while its key changed is not remembered", async () => {
  const [{ id, text }] = (await buyKeys(1)) as [Key];
  await ask({ id, text }, "phone");
  const answer = Promise.withResolvers<void>();
  const slowly = async (...query: Parameters<Sql>) => {
    const rows = await panel.database.read(...query);
    await answer.promise;
    return rows;
  };
  const standings = createStandings({ database: { ...panel.database, read: slowly as Sql }, randomBytes });
  const before = standings.of(text, "phone");
  await standings.changing([id], () =>
    panel.database.transaction(null, ({ sql }) => sql`UPDATE license_keys SET device_limit = 100 WHERE id = ${id}`),
  );
  answer.resolve();
  expect((await before)?.deviceLimit).toBe(2);
  expect(standings.remembered(text, "phone")).toBeNull();
});
