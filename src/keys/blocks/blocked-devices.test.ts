import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { parallel } from "../../../tests/parallel.ts";
import { msPerMinute } from "../../core/clock.ts";

const game = "FREE FIRE";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: ResellerClient;
let serial = 0;
const nextDevice = () => `phone-${++serial}`;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 1_000 });
  other = await registerReseller(panel.newClient, admin, { username: "day.owl", credits: 1_000 });
});
afterAll(() => panel.close());

const buy = async (client: Client, more: object = {}) => {
  const order = { game, deviceLimit: 2, days: 30, count: 1, ...more };
  return (await client.post("/api/reseller/keys/generate", order)).body.keys[0] as { id: number; keyString: string };
};
const makeAdminKey = async (more: object = {}) => {
  const order = { game, deviceLimit: 2, expiryDate: "2025-04-05", count: 1, ...more };
  return (await admin.post("/api/admin/keys/generate", order)).body.keys[0] as { id: number; keyString: string };
};
type Key = { id: number; keyString: string };
const verify = async ({ keyString }: Key, deviceId: string, more: object = {}) =>
  (await panel.newClient().post("/api/verify", { key: keyString, deviceId, game, ...more })).body;
const look = async ({ keyString }: Key, deviceId: string) =>
  (await panel.newClient().get(`/api/verify/${keyString}/${encodeURIComponent(game)}/${deviceId}`)).body;
const block = (client: Client, deviceId: string, reason = "Key resold") =>
  client.post(`/api/${client === admin ? "admin" : "reseller"}/blocked-devices`, { deviceId, reason });
const devicesOf = async ({ id }: Key): Promise<string[]> =>
  (await admin.get(`/api/admin/keys/${id}/details`)).body.devices.map(({ deviceId }: { deviceId: string }) => deviceId);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe("a block", () => {
  test("removes the device from the reseller's keys, whatever their status, and from no others", async () => {
    const device = nextDevice();
    const own = await buy(reseller);
    const paused = await buy(reseller);
    const revoked = await buy(reseller);
    const others = await buy(other);
    const admins = await makeAdminKey();
    for (const key of [own, paused, revoked, others, admins]) expect((await verify(key, device)).code).toBe("VALID");
    await verify(own, device.toUpperCase());
    await reseller.post(`/api/reseller/keys/${paused.id}/pause`);
    await reseller.post(`/api/reseller/keys/${revoked.id}/revoke`);
    const { status, body } = await block(reseller, device, "  Chargeback 🙂 ");
    expect([status, body]).toEqual([
      201,
      { id: body.id, deviceId: device, reason: "  Chargeback 🙂 ", by: "night.owl", at: "2025-03-05T14:30:00.000Z" },
    ]);
    expect(await devicesOf(own)).toEqual([device.toUpperCase()]);
    for (const key of [paused, revoked]) expect(await devicesOf(key)).toEqual([]);
    for (const key of [others, admins]) expect(await devicesOf(key)).toEqual([device]);
    const { events } = (await reseller.get(`/api/reseller/keys/${paused.id}/timeline`)).body;
    expect(events[0]).toMatchObject({ kind: "device_removed", by: "night.owl", deviceId: device });
    expect((await verify(own, device)).code).toBe("DEVICE_BLOCKED");
    expect((await verify(others, device)).code).toBe("VALID");
  });

  test("of an admin covers every key, and those of admins are one list", async () => {
    const device = nextDevice();
    const keys = [await buy(reseller), await buy(other), await makeAdminKey()];
    for (const key of keys) await verify(key, device);
    expect((await block(admin, device)).status).toBe(201);
    for (const key of keys) expect((await verify(key, device)).code).toBe("DEVICE_BLOCKED");
    expect((await admin.get("/api/admin/blocked-devices?limit=1")).body[0]).toMatchObject({ deviceId: device });
    expect((await reseller.get(`/api/reseller/blocked-devices?search=${device}`)).body).toEqual([]);
  });

  test("begins again where it was not finished, and returns the first block", async () => {
    const device = nextDevice();
    const key = await buy(reseller);
    const first = await block(reseller, device, "First");
    // As if the server had died after the block was written.
    await panel.database.transaction(null, async (unit) => {
      await unit.sql`
        INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at, last_seen_day)
        VALUES (${key.id}, ${device}, ${device}, 1, 1)`;
      unit.keyChanged(key.id);
    });
    expect((await verify(key, device)).code).toBe("VALID");
    const again = await block(reseller, device, "Again");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await verify(key, device)).code).toBe("DEVICE_BLOCKED");
    const made = await parallel(3, () => block(reseller, "three-at-once"));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  });

  test("counts as a change each time, so that an account repeats it at most 600 times a minute", async () => {
    const limited = await openPanel({ rateLimits: true });
    const boss = await signInAdmin(limited.newClient);
    const owner = await registerReseller(limited.newClient, boss, { username: "limited.owl" });
    const form = { deviceId: "phone", reason: "Key resold" };
    const again = () => owner.post("/api/reseller/blocked-devices", form);
    const statuses: Record<number, number> = {};
    for (let count = 0; count < 600; count += 1) {
      limited.clock.now += 10;
      const { status } = await again();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    expect(statuses).toEqual({ 201: 1, 200: 599 });
    expect(codeOf(await again())).toEqual([429, "TOO_MANY_TRIES"]);
    expect((await boss.post("/api/admin/blocked-devices", form)).status).toBe(201);
    limited.clock.now += msPerMinute;
    expect((await again()).status).toBe(200);
    await limited.close();
  });

  test("removes the device of several batches", async () => {
    const device = nextDevice();
    const keys: Key[] = (
      await reseller.post("/api/reseller/keys/generate", { game, deviceLimit: 1, days: 10, count: 100 })
    ).body.keys;
    const more: Key[] = (
      await reseller.post("/api/reseller/keys/generate", { game, deviceLimit: 1, days: 10, count: 50 })
    ).body.keys;
    for (const key of [...keys, ...more]) await verify(key, device);
    await block(reseller, device);
    expect(await panel.database.read`SELECT id FROM key_devices WHERE device_id = ${device}`).toEqual([]);
    const events = await panel.database.read`
      SELECT id FROM key_events WHERE device_id = ${device} AND what = 'DEVICE_REMOVED' AND made_by = ${reseller.id}`;
    expect(events).toHaveLength(150);
  });

  test("takes no id that many devices share, no empty reason and no id that verification refuses", async () => {
    for (const form of [
      { deviceId: "unknown", reason: "x" },
      { deviceId: "0000-0000", reason: "x" },
      { deviceId: "9774D56D682E549C", reason: "x" },
      { deviceId: "has space", reason: "x" },
      { deviceId: "fine", reason: "   " },
      { deviceId: "fine", reason: "x".repeat(201) },
      { deviceId: "fine", reason: "a\u202eb" },
      { deviceId: "fine" },
    ]) {
      const { status, body } = await reseller.post("/api/reseller/blocked-devices", form);
      expect([form, status, body.errors?.length]).toEqual([form, 422, 1]);
    }
  });

  test("is one of at most 10,000 of its owner", async () => {
    const full = await registerReseller(panel.newClient, admin, { username: "full.owl" });
    await panel.database.transaction(null, async ({ sql }) => {
      await sql`
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
        INSERT INTO blocked_devices (owner, device_id, device_folded, given_reason, reason_folded, blocked_by, created_at)
        SELECT CAST(${full.id} AS BIGINT), 'many-' || i, 'many-' || i, 'x', 'x', CAST(${full.id} AS BIGINT), 1 FROM n`;
    });
    const results = await parallel(3, (index) => block(full, `last-${index}`));
    expect(results.map((result) => codeOf(result)).sort()).toEqual([
      [201, undefined],
      [409, "TOO_MANY_BLOCKS"],
      [409, "TOO_MANY_BLOCKS"],
    ]);
    expect(codeOf(await block(full, "many-7"))).toEqual([200, undefined]);
    expect((await block(other, "last-1")).status).toBe(201);
  });
});

describe("a blocked device", () => {
  test("is refused after EXPIRED and before DEVICE_LIMIT_REACHED, in both forms and nine languages", async () => {
    const device = nextDevice();
    const key = await buy(reseller, { deviceLimit: 1 });
    await block(reseller, device);
    const refused = {
      ...{ valid: false, code: "DEVICE_BLOCKED", release: null, deviceLimit: 1 },
      ...{ expiry: expect.any(String), message: "This device is blocked for this key. Please ask your seller." },
    };
    expect(await verify(key, device)).toEqual({ ...refused, currentDevices: 0 });
    await verify(key, "another");
    expect(await verify(key, device)).toEqual({ ...refused, currentDevices: 1 });
    expect(await look(key, device)).toEqual({ ...refused, currentDevices: 1, canRegister: false });
    expect((await verify(key, "third")).code).toBe("DEVICE_LIMIT_REACHED");
    const sentences = ["en", "ar", "es", "hi", "id", "pt-BR", "ru", "tr", "vi"].map(
      async (lang) => (await verify(key, device, { lang })).message,
    );
    expect(new Set(await Promise.all(sentences)).size).toBe(9);
    await reseller.post(`/api/reseller/keys/${key.id}/pause`);
    expect((await verify(key, device)).code).toBe("PAUSED");
  });

  test("frees no idle device and starts no key", async () => {
    const device = nextDevice();
    await block(admin, device);
    const waiting = await buy(reseller, { starts: "first_use" });
    expect(await verify(waiting, device)).toMatchObject({ code: "DEVICE_BLOCKED", expiry: null });
    const games: { id: number; name: string }[] = (await admin.get("/api/admin/games")).body;
    const id = games.find(({ name }) => name === game)?.id;
    const policy = (idleDays: number | null) => admin.call("PUT", `/api/admin/games/${id}`, { release: { idleDays } });
    const { status, text } = await policy(1);
    expect([status, text]).toEqual([200, text]);
    const full = await makeAdminKey({ deviceLimit: 1 });
    await verify(full, "idle-one");
    await panel.server.statistics.write();
    await panel.database.write`UPDATE key_devices SET last_seen_day = 1 WHERE device_id = 'idle-one'`;
    expect((await look(full, "new-one")).canRegister).toBe(true);
    expect((await verify(full, device)).code).toBe("DEVICE_BLOCKED");
    expect(await devicesOf(full)).toEqual(["idle-one"]);
    await policy(null);
  });

  test("counts as a refusal in the timeline, with cursors, in the figures and for webhooks", async () => {
    const device = nextDevice();
    const key = await buy(reseller, { deviceLimit: 1 });
    await reseller.post("/api/reseller/webhooks", {
      ...{ kind: "standard", url: "https://example.com", events: ["key.refused"] },
    });
    await block(reseller, device);
    await verify(key, "another");
    await verify(key, "third");
    await verify(key, device);
    await panel.server.statistics.write();
    const kinds: string[] = [];
    let path: string | undefined = `/api/reseller/keys/${key.id}/timeline?limit=1`;
    while (path) {
      const { body, headers } = await reseller.get(path);
      kinds.push(...body.events.map(({ kind, code }: { kind: string; code: string | null }) => code ?? kind));
      path = /<(.*)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(kinds.sort()).toEqual(["DEVICE_BLOCKED", "DEVICE_LIMIT_REACHED", "created", "device_connected"]);
    const [today] = (await reseller.get("/api/reseller/figures?days=7")).body.slice(-1);
    expect(today.verdicts.DEVICE_BLOCKED).toBeGreaterThan(0);
    const events = await panel.database.read<{ data: string }>`
      SELECT data FROM webhook_deliveries WHERE type = 'key.refused' AND data LIKE ${`%"keyId":${key.id},%`}`;
    expect(events.map(({ data }) => JSON.parse(data).code).sort()).toEqual(["DEVICE_BLOCKED", "DEVICE_LIMIT_REACHED"]);
  });

  test("connects like a new one after the block is deleted, which only its owner may do", async () => {
    const device = nextDevice();
    const key = await buy(reseller);
    const { id } = (await block(reseller, device)).body;
    expect(codeOf(await other.call("DELETE", `/api/reseller/blocked-devices/${id}`))).toEqual([404, "NOT_FOUND"]);
    expect(codeOf(await admin.call("DELETE", `/api/admin/blocked-devices/${id}`))).toEqual([404, "NOT_FOUND"]);
    expect((await verify(key, device)).code).toBe("DEVICE_BLOCKED");
    const { status, body } = await reseller.call("DELETE", `/api/reseller/blocked-devices/${id}`);
    expect([status, body]).toEqual([200, { message: "Device unblocked" }]);
    expect(await verify(key, device)).toMatchObject({ code: "VALID", currentDevices: 1 });
    const [entry] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(entry).toMatchObject({
      action: "device_unblocked",
      target: `blocked device ${id}`,
      details: { deviceId: device, reason: "Key resold" },
    });
  });

  test("is left out of an imported key, whose line stays valid", async () => {
    const device = nextDevice();
    await block(other, device);
    const file = [
      "key,game,expires,owner,device limit,devices",
      `IMPORTED-1,${game},2099-01-31,day.owl,3,${device};stays`,
      `IMPORTED-2,${game},2099-01-31,night.owl,3,${device};stays`,
    ].join("\n");
    const { body } = await admin.post("/api/admin/imports", file, { "content-type": "text/csv" });
    await panel.server.importWork.run();
    expect((await admin.get(`/api/admin/imports/${body.id}`)).body).toMatchObject({ valid: 2, wrong: 0 });
    const ids = await panel.database.read<{ id: number; keyString: string }>`
      SELECT id, key_string AS "keyString" FROM license_keys WHERE key_string LIKE 'IMPORTED-%' ORDER BY key_string`;
    expect(await devicesOf(ids[0] as Key)).toEqual(["stays"]);
    expect((await devicesOf(ids[1] as Key)).sort()).toEqual([device, "stays"]);
  });
});

test("of a block and connections at once, no key has the device afterwards", async () => {
  for (let round = 0; round < 10; round += 1) {
    const device = nextDevice();
    const keys = await Promise.all(Array.from({ length: 8 }, () => buy(reseller)));
    const [verdicts] = await Promise.all([
      parallel(8, (index) => verify(keys[index] as Key, device)),
      block(round % 2 === 0 ? reseller : admin, device),
    ]);
    for (const { code } of verdicts) expect(["VALID", "DEVICE_BLOCKED"]).toContain(code);
    for (const key of keys) expect((await verify(key, device)).code).toBe("DEVICE_BLOCKED");
    expect(await panel.database.read`SELECT id FROM key_devices WHERE device_id = ${device}`).toEqual([]);
  }
});

test("the list is searched over device ids and reasons, and paged", async () => {
  const owner = await registerReseller(panel.newClient, admin, { username: "list.owl" });
  for (const [deviceId, reason] of [
    ["Alpha-1", "Bought İN bulk"],
    ["beta-2", "100 % fraud"],
    ["alpha-3", "Other"],
  ] as const)
    await block(owner, deviceId, reason);
  const found = async (query: string) =>
    (await owner.get(`/api/reseller/blocked-devices?${query}`)).body.map(
      ({ deviceId }: { deviceId: string }) => deviceId,
    );
  expect(await found("")).toEqual(["alpha-3", "beta-2", "Alpha-1"]);
  expect(await found("search=ALPHA")).toEqual(["alpha-3", "Alpha-1"]);
  expect(await found("search=in bulk")).toEqual(["Alpha-1"]);
  expect(await found("search=0 %25 f")).toEqual(["beta-2"]);
  const first = await owner.get("/api/reseller/blocked-devices?limit=2");
  const next = /<(.*)>/.exec(first.headers.get("link") ?? "")?.[1] as string;
  expect((await owner.get(next)).body).toMatchObject([{ deviceId: "Alpha-1" }]);
});
