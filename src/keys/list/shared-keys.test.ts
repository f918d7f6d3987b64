import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { msPerDay } from "../../core/clock.ts";
import { normalKeyText } from "../../core/key-text.ts";
import { createStatistics } from "../../verify/statistics.ts";

const game = "FREE FIRE";

type Key = { id: number; keyString: string };

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 1_000 });
  other = await registerReseller(panel.newClient, admin, { username: "day.owl", credits: 1_000 });
});
afterAll(() => panel.close());

const buy = async (client: Client, more: object = {}): Promise<Key> => {
  const order = { game, deviceLimit: 1, days: 30, count: 1, ...more };
  return (await client.post("/api/reseller/keys/generate", order)).body.keys[0];
};
const verify = ({ keyString }: Key, deviceId: string, of = game) =>
  panel.newClient().post("/api/verify", { key: keyString, deviceId, game: of });
const write = () => panel.server.statistics.write();

/** A key on whose slot a phone is, and which these devices found full. */
async function full(key: Key, ...devices: string[]): Promise<Key> {
  await verify(key, "first-phone");
  for (const device of devices) expect((await verify(key, device)).body.code).toBe("DEVICE_LIMIT_REACHED");
  await write();
  return key;
}

const shared = async (client: Client, query = "") => {
  const { body } = await client.get(`/api/${client === admin ? "admin" : "reseller"}/shared-keys${query}`);
  return body.map(({ key, devicesRefused, releases }: { key: Key; devicesRefused: number; releases: number }) => [
    key.id,
    devicesRefused,
    releases,
  ]);
};
const many = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

describe("keys that seem shared", () => {
  test("were found full by at least 3 different devices, most first, of one owner or of all", async () => {
    const two = await full(await buy(reseller), "a", "b", "a", "b");
    const three = await full(await buy(reseller), "a", "b", "c", "c");
    const five = await full(await buy(reseller), ...many(5, "p"));
    const others = await full(await buy(other), ...many(4, "p"));
    expect(await shared(reseller)).toEqual([
      [five.id, 5, 0],
      [three.id, 3, 0],
    ]);
    expect(await shared(other)).toEqual([[others.id, 4, 0]]);
    expect(await shared(admin)).toEqual([
      [five.id, 5, 0],
      [others.id, 4, 0],
      [three.id, 3, 0],
    ]);
    const { body } = await reseller.get("/api/reseller/shared-keys");
    const [listed] = (await reseller.get(`/api/reseller/keys?search=${five.keyString}`)).body;
    expect(body[0].key).toEqual(listed);
    await verify(two, "c");
    expect((await shared(reseller)).length).toBe(2);
    await write();
    expect((await shared(reseller)).length).toBe(3);
  });

  test("are narrowed to a game, and an unknown one is a 422", async () => {
    expect(await shared(reseller, "?game=PUBG%20MOBILE")).toEqual([]);
    expect((await shared(reseller, "?game=free%20fire")).length).toBeGreaterThan(0);
    const { status, body } = await reseller.get("/api/reseller/shared-keys?game=Chess");
    expect([status, body.errors[0].path]).toEqual([422, "game"]);
  });

  test("are ACTIVE, count no other refusals and previews, and count the releases of players", async () => {
    const key = await full(await buy(reseller, { keyString: "SHARED-RELEASED-1" }), ...many(3, "q"));
    const { body } = await panel.newClient().get(`/api/verify/${key.keyString}/${encodeURIComponent(game)}/another`);
    expect(body.code).toBe("DEVICE_LIMIT_REACHED");
    const [{ ref }] = body.release.devices;
    await panel.newClient().post("/api/verify/release", { key: key.keyString, game, ref });
    expect(await shared(reseller)).toContainEqual([key.id, 3, 1]);
    await reseller.post(`/api/reseller/keys/${key.id}/pause`);
    for (const device of many(9, "paused")) expect((await verify(key, device)).body.code).toBe("PAUSED");
    await write();
    expect((await shared(reseller)).map(([id]: number[]) => id)).not.toContain(key.id);
    await reseller.post(`/api/reseller/keys/${key.id}/resume`);
    expect(await shared(reseller)).toContainEqual([key.id, 3, 1]);
  });

  test("count up to 100 devices, and two days together", async () => {
    const owner = await registerReseller(panel.newClient, admin, { username: "days.owl", credits: 100 });
    const key = await full(await buy(owner), ...many(60, "monday"));
    const few = await full(await buy(owner), "x", "y");
    expect(await shared(owner)).toEqual([[key.id, 60, 0]]);
    panel.clock.now += msPerDay;
    expect(await shared(owner)).toEqual([[key.id, 60, 0]]);
    await full(few, "y", "z");
    await full(key, ...many(30, "monday"), ...many(30, "tuesday"));
    expect(await shared(owner)).toEqual([
      [key.id, 90, 0],
      [few.id, 3, 0],
    ]);
    await full(key, ...many(150, "tuesday"));
    expect(await shared(owner)).toEqual([
      [key.id, 100, 0],
      [few.id, 3, 0],
    ]);
    panel.clock.now += msPerDay;
    // On Wednesday, Tuesday counts alone: 100 of the 150, of which "y" and "z" are too few.
    expect(await shared(owner)).toEqual([[key.id, 100, 0]]);
    panel.clock.now += msPerDay;
    expect(await shared(owner)).toEqual([]);
    await panel.server.statisticsRetention.eraseOld();
    expect(await panel.database.read`SELECT key_id FROM refused_devices`).toEqual([]);
  });

  test("count devices of two processes together, and those of a flush that failed", async () => {
    const owner = await registerReseller(panel.newClient, admin, { username: "two.owl", credits: 100 });
    const key = await buy(owner);
    await verify(key, "first-phone");
    const { database, metrics } = await openedAgain();
    const counted = refusedOf(key, owner);
    let failing = true;
    const flaky: typeof database = {
      ...database,
      transaction: (queue, work) => (failing ? Promise.reject(new Error("full")) : database.transaction(queue, work)),
    };
    const processes = [database, flaky].map((each) => createStatistics({ database: each, metrics }));
    for (const [index, process] of processes.entries())
      for (const device of many(3, `of-${index}`)) process.count(counted(device));
    await Promise.all(processes.map((process) => process.write()));
    expect(await shared(owner)).toEqual([[key.id, 3, 0]]);
    failing = false;
    processes[1]?.count(counted("of-1-2"));
    processes[1]?.count(counted("of-1-3"));
    await processes[1]?.write();
    expect(await shared(owner)).toEqual([[key.id, 7, 0]]);
  });

  test("begin anew with a replacement, also where refusals of the old text are written after it", async () => {
    const owner = await registerReseller(panel.newClient, admin, { username: "anew.owl", credits: 100 });
    const key = await full(await buy(owner), ...many(4, "written"));
    const other = createStatistics(await openedAgain());
    for (const device of many(5, "elsewhere")) other.count(refusedOf(key, owner)(device));
    for (const device of many(5, "old")) await verify(key, device);
    const { keyString } = (await owner.post(`/api/reseller/keys/${key.id}/replace`)).body.key;
    await full({ ...key, keyString }, "old-0", "new");
    await other.write();
    expect(await shared(owner)).toEqual([]);
    await full({ ...key, keyString }, "old-1");
    expect(await shared(owner)).toEqual([[key.id, 3, 0]]);
  });
});

/** A refusal as another process counts it. */
const refusedOf = (key: Key, owner: ResellerClient) => (deviceId: string) => ({
  ...{ code: "DEVICE_LIMIT_REACHED" as const, key: { id: key.id, resellerId: owner.id }, deviceId },
  ...{ text: normalKeyText(key.keyString), isNewDevice: false, at: panel.clock.now },
});

/** The metrics of another process. */
async function openedAgain() {
  const { createMetrics } = await import("../../core/metrics.ts");
  return { database: panel.database, metrics: createMetrics({ ms: () => 0 }) };
}

describe("remove-all", () => {
  test("frees every slot of an ACTIVE key, and is told like removals by hand", async () => {
    const key = await buy(reseller, { deviceLimit: 2 });
    await reseller.post("/api/reseller/webhooks", {
      ...{ kind: "standard", url: "https://example.com", events: ["device.released"] },
    });
    for (const device of many(2, "mine")) await verify(key, device);
    const path = `/api/reseller/keys/${key.id}/devices/remove-all`;
    expect((await other.post(path)).status).toBe(404);
    const { status, body } = await reseller.post(path);
    expect([status, body]).toEqual([200, { message: "Devices removed successfully", removed: 2 }]);
    expect((await reseller.post(path)).body.removed).toBe(0);
    const [entry] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(entry).toMatchObject({ action: "device_removed", details: { count: 2 } });
    const { events } = (await reseller.get(`/api/reseller/keys/${key.id}/timeline`)).body;
    const removed = events.filter(({ kind }: { kind: string }) => kind === "device_removed");
    expect(removed.map(({ deviceId }: { deviceId: string }) => deviceId).sort()).toEqual(many(2, "mine"));
    const told = await panel.database.read<{ data: string }>`
      SELECT data FROM webhook_deliveries WHERE type = 'device.released' AND data LIKE ${`%"keyId":${key.id},%`}`;
    expect(told.map(({ data }) => JSON.parse(data).deviceId).sort()).toEqual(many(2, "mine"));
    expect((await verify(key, "mine-0")).body).toMatchObject({ code: "VALID", currentDevices: 1 });
    await reseller.post(`/api/reseller/keys/${key.id}/pause`);
    const refused = await reseller.post(path);
    expect([refused.status, refused.body.code]).toEqual([409, "KEY_NOT_ACTIVE"]);
  });
});
