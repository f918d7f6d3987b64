/* Only for SQLite: PostgreSQL has no key cache. */
import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { writeFromAnotherProcess } from "../../tests/write-from-another-process.ts";
import { findKey } from "./store.ts";

/**
 * Connected devices get their verdict from the cache. As soon as a change of a key is acknowledged, in this process or
 * another, every device must get the verdict of the database, however many changes there are at once. Runs with and
 * without the cache.
 */
let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: Connection;
const game = "FREE FIRE";
const devices = ["phone", "tablet", "console"];

interface Key {
  id: number;
  text: string;
  orderId: number;
}

async function buyKeys(count: number): Promise<Key[]> {
  const order = { game, deviceLimit: 2, days: 30, count };
  const { body } = await reseller.post("/api/reseller/keys/generate", order);
  return body.keys.map(({ id, keyString }: { id: number; keyString: string }) => ({
    ...{ id, text: keyString, orderId: body.orderId },
  }));
}

const ask = ({ text }: Key, deviceId: string) => panel.newClient().post("/api/verify", { key: text, deviceId, game });
const look = ({ text }: Key, deviceId: string) =>
  panel.newClient().get(`/api/verify/${text}/${encodeURIComponent(game)}/${deviceId}`);

async function removeDevice({ id }: Key, deviceId: string): Promise<void> {
  const { body } = await reseller.get(`/api/reseller/keys/${id}`);
  const row = body.devices.find((device: { deviceId: string }) => device.deviceId === deviceId);
  if (row) await reseller.post(`/api/reseller/keys/${id}/devices/${row.id}/remove`);
}

async function revokeSelected(client: Client, role: "admin" | "reseller", id: number): Promise<void> {
  const of = role === "admin" ? { resellerId: reseller.id } : {};
  const { body } = await client.post(`/api/${role}/keys/selected`, { ids: [id], ...of });
  const { mark, toRevoke } = body;
  if (toRevoke > 0) await client.post(`/api/${role}/keys/selected/revoke`, { ids: [id], ...of, mark, count: toRevoke });
}

/** Every call that changes a key or its devices, and changes of another process. */
const changes = {
  ask,
  look,
  removeDevice,
  revokeAsAdmin: ({ id }: Key) => admin.call("DELETE", `/api/admin/keys/${id}`),
  revokeAsReseller: ({ id }: Key) => reseller.post(`/api/reseller/keys/${id}/revoke`),
  replace: ({ id }: Key) => admin.post(`/api/admin/keys/${id}/replace`, {}),
  resetDevices: () => admin.post("/api/admin/keys/reset-devices", {}),
  revokeElsewhere: ({ id }: Key) =>
    writeFromAnotherProcess(other, "UPDATE license_keys SET revoked_at = created_at, revoked_by = 1 WHERE id = ?", [
      id,
    ]),
  revokeSelectedAsAdmin: ({ id }: Key) => revokeSelected(admin, "admin", id),
  revokeSelectedAsReseller: ({ id }: Key) => revokeSelected(reseller, "reseller", id),
  revokeUnusedOfOrder: async ({ orderId }: Key) => {
    const path = `/api/reseller/orders/${orderId}`;
    const { body } = await reseller.get(path);
    const count = body.keys.filter(
      (key: { devices: number; status: string }) => key.devices === 0 && key.status === "ACTIVE",
    );
    await reseller.post(`${path}/revoke-unused`, { count: count.length });
  },
  limitElsewhere: ({ id }: Key) =>
    writeFromAnotherProcess(other, "UPDATE license_keys SET device_limit = 100 WHERE id = ?", [id]),
};

const change = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("ask" as const, "look" as const) },
    fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  ),
  key: fc.nat({ max: 2 }),
  device: fc.constantFrom(...devices),
});

/** The changes of one group are made at the same time. */
const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

/** The verdict by the present rows. */
async function expected({ text }: Key, deviceId: string) {
  const { key } = await findKey(panel.database.read, {
    text: text.toLowerCase(),
    game,
    deviceId,
    version: null,
    deviceName: null,
    language: "en",
  });
  if (!key) throw new Error("A key is gone.");
  const isFull = !key.isConnected && key.deviceCount >= key.deviceLimit;
  const code = key.isRevoked ? "REVOKED" : isFull ? "DEVICE_LIMIT_REACHED" : "VALID";
  return { code, deviceLimit: key.deviceLimit, currentDevices: key.deviceCount };
}

describe.each([2 ** 10, 0])("with %p places in the cache", (keyCachePlaces) => {
  beforeAll(async () => {
    panel = await openPanel({ keyCachePlaces });
    admin = await signInAdmin(panel.newClient);
    reseller = await registerReseller(panel.newClient, admin, { username: "owner", credits: 100_000 });
    other = new Connection(panel.file);
  });
  afterAll(async () => {
    other.close();
    await panel.close();
  });

  test("a verdict is never older than the last acknowledged change", async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (inTurn) => {
        const keys = await buyKeys(3);
        const pairs = keys.flatMap((key) => devices.map((device) => [key, device] as const));
        // Most of them are cached at the beginning.
        for (const [key, device] of pairs.slice(0, 8)) await ask(key, device);
        for (const atOnce of inTurn) {
          await Promise.all(atOnce.map(({ name, key, device }) => changes[name](keys[key] as Key, device)));
          // Twice, because the first may fill the cache for the second.
          for (const [key, device] of [...pairs, ...pairs]) {
            expect((await look(key, device)).body).toMatchObject(await expected(key, device));
          }
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  test("a failed change does not change the verdict", async () => {
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
});
