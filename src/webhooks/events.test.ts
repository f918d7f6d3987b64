import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";
import { adminEventTypes, resellerEventTypes } from "../facts/webhook-events.ts";

let panel: Panel;
let admin: Client;
let serial = 0;
/** The webhook of an admin, which gets every event. */
let adminWebhook = 0;

beforeAll(async () => {
  panel = await openPanel({ refundDays: 7 });
  admin = await signInAdmin(panel.newClient);
  const form = { ...formFor(adminEventTypes), creditsBelow: 5 };
  adminWebhook = (await admin.post("/api/admin/webhooks", form)).body.id;
});
afterAll(() => panel.close());
beforeEach(async () => {
  // Some tests let weeks pass, in which sessions end.
  admin = await signInAdmin(panel.newClient);
  await forget();
});

function formFor(events: readonly string[]) {
  return { kind: "standard", url: "https://example.com", events };
}

interface Shop extends ResellerClient {
  webhook: number;
}

async function newShop(credits = 0): Promise<Shop> {
  serial += 1;
  const reseller = await registerReseller(panel.newClient, admin, { username: `shop${serial}`, credits });
  const form = { ...formFor(resellerEventTypes), creditsBelow: 5 };
  const { body } = await reseller.post("/api/reseller/webhooks", form);
  await forget();
  return { ...reseller, webhook: body.id };
}

async function forget(): Promise<void> {
  await panel.database.write`DELETE FROM webhook_deliveries`;
}

/** The types and data of what waits for a webhook, in the order in which it was written. */
async function eventsFor(webhook: number) {
  const rows = await panel.database.read<{ type: string; data: string; at: number; nextAt: number }>`
    SELECT type, data, at, next_at AS "nextAt" FROM webhook_deliveries WHERE webhook_id = ${webhook} ORDER BY id`;
  return rows.map(({ type, data, at, nextAt }) => ({ type, data: JSON.parse(data), waitMs: nextAt - at }));
}

async function buy(shop: Client, { count = 1, days = 10, starts = "creation" } = {}) {
  const order = { game: "FREE FIRE", deviceLimit: 1, days, count, starts };
  const { body } = await shop.post("/api/reseller/keys/generate", order);
  await forget();
  return body as { orderId: number; keys: { id: number; keyString: string }[] };
}

const verify = (keyString: string, deviceId: string, deviceName?: string) =>
  panel.newClient().post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE", deviceName });

/** What every event of a reseller's key has. */
function about(shop: Shop, { orderId, keys: [key] }: Awaited<ReturnType<typeof buy>>) {
  const { id: keyId = 0, keyString = "" } = key ?? {};
  return { resellerId: shop.id, username: shop.username, orderId, keyId, key: keyString.slice(-5) };
}

describe("a reseller and the admins are told of", () => {
  const told = async (shop: Shop, ...expected: { type: string; data: object }[]) => {
    for (const webhook of [shop.webhook, adminWebhook]) {
      expect(await eventsFor(webhook)).toEqual(expected.map((event) => ({ ...event, waitMs: 0 })));
    }
  };

  test("an order, and a balance that falls below the limit", async () => {
    const shop = await newShop(7);
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 2, externalId: "INV-1" };
    const { orderId, keys } = (await shop.post("/api/reseller/keys/generate", order)).body;
    const { id: resellerId, username } = shop;
    const [data, keyIds] = [{ resellerId, username, orderId }, keys.map(({ id }: { id: number }) => id)];
    const what = { externalId: "INV-1", saleId: null, game: "FREE FIRE", durationId: 2, hours: 240, deviceLimit: 1 };
    const created = (amount: number, balance: number) => ({ ...what, count: 2, keyIds, amount, balance });
    await told(shop, { type: "order.created", data: { ...data, ...created(2, 5) } });
    await forget();
    const again = (await shop.post("/api/reseller/keys/generate", { ...order, count: 1, externalId: undefined })).body;
    await told(
      shop,
      {
        type: "order.created",
        data: {
          ...{ ...data, ...what, orderId: again.orderId, externalId: null, count: 1, keyIds: [again.keys[0].id] },
          ...{ amount: 1, balance: 4 },
        },
      },
      { type: "credits.low", data: { resellerId, username, balance: 4 } },
    );
    await forget();
    await buy(shop);
    expect(await eventsFor(shop.webhook)).toEqual([]);
  });

  test("an extension that leaves less than the limit, and a revocation", async () => {
    const shop = await newShop(6);
    const bought = await buy(shop);
    const { id: resellerId, username } = shop;
    const path = `/api/reseller/keys/${bought.keys[0]?.id}`;
    await shop.post(`${path}/extend`, { days: 10 });
    await told(
      shop,
      { type: "credits.low", data: { resellerId, username, balance: 4 } },
      { type: "key.extended", data: { ...about(shop, bought), by: "reseller", amount: 1, balance: 4 } },
    );
    await forget();
    await admin.call("DELETE", `/api/admin/keys/${bought.keys[0]?.id}`);
    await told(shop, { type: "key.revoked", data: { ...about(shop, bought), by: "admin", amount: 2 } });
  });

  test("devices that connect, and who released them", async () => {
    const shop = await newShop(10);
    const bought = await buy(shop);
    const keyString = bought.keys[0]?.keyString ?? "";
    const data = { ...about(shop, bought), deviceId: "phone", deviceName: "Ana's phone" };
    await verify(keyString, "phone", "Ana's phone");
    await verify(keyString, "phone", "Ana's phone");
    await told(shop, { type: "device.connected", data });
    await forget();
    const [device] = (await shop.get(`/api/reseller/keys/${data.keyId}`)).body.devices;
    await shop.post(`/api/reseller/keys/${data.keyId}/devices/${device.id}/remove`);
    await told(shop, { type: "device.released", data: { ...data, by: "reseller" } });

    await verify(keyString, "tablet");
    await forget();
    const [{ ref }] = (await verify(keyString, "phone")).body.release.devices;
    await panel.newClient().post("/api/verify/release", { key: keyString, game: "FREE FIRE", ref });
    expect((await eventsFor(shop.webhook)).map(({ data: { by, deviceId } }) => [by, deviceId])).toEqual([
      ["player", "tablet"],
    ]);
  });

  test("a device that is replaced because it was idle", async () => {
    const shop = await newShop(100);
    const bought = await buy(shop, { days: 60 });
    const keyString = bought.keys[0]?.keyString ?? "";
    await admin.call("PUT", "/api/admin/games/3", { release: { idleDays: 7 } });
    await verify(keyString, "old");
    await forget();
    panel.clock.now += 20 * msPerDay;
    expect((await verify(keyString, "new")).body.code).toBe("VALID");
    const events = await eventsFor(shop.webhook);
    expect(events.map(({ type, data: { by, deviceId } }) => [type, by, deviceId])).toEqual([
      ["device.released", "idle", "old"],
      ["device.connected", undefined, "new"],
    ]);
  });

  test("refused verifications, once per key, code and day", async () => {
    const shop = await newShop(10);
    const bought = await buy(shop);
    const keyString = bought.keys[0]?.keyString ?? "";
    await verify(keyString, "phone");
    await forget();
    const refusals = async () => {
      await panel.server.statistics.write();
      return (await eventsFor(shop.webhook)).map(({ type, data: { code, deviceId } }) => [type, code, deviceId]);
    };
    await verify(keyString, "tablet");
    await verify(keyString, "tablet");
    await verify("UNKNOWN-KEY", "tablet");
    await panel.newClient().get(`/api/verify/${keyString}/FREE%20FIRE/tv`);
    expect(await refusals()).toEqual([["key.refused", "DEVICE_LIMIT_REACHED", "tablet"]]);
    await verify(keyString, "tablet");
    expect(await refusals()).toHaveLength(1);
    await shop.post(`/api/reseller/keys/${bought.keys[0]?.id}/revoke`);
    await verify(keyString, "phone");
    panel.clock.now += msPerDay;
    await verify(keyString, "tablet");
    expect(await refusals()).toEqual([
      ["key.refused", "DEVICE_LIMIT_REACHED", "tablet"],
      ["key.revoked", undefined, undefined],
      ["key.refused", "REVOKED", "phone"],
      ["key.refused", "REVOKED", "tablet"],
    ]);
  });

  test("an extension by an admin", async () => {
    const shop = await newShop(10);
    const bought = await buy(shop);
    await admin.post(`/api/admin/keys/${bought.keys[0]?.id}/extend`, { hours: 24 });
    await told(shop, { type: "key.extended", data: { ...about(shop, bought), by: "admin" } });
  });

  test("granted credits, and a grant taken back that leaves less than the limit", async () => {
    const shop = await newShop(1);
    const { id: resellerId, username } = shop;
    await admin.post("/api/admin/resellers/credits", { resellerId, amount: 20 });
    await told(shop, { type: "credits.granted", data: { resellerId, username, amount: 20, balance: 21 } });
    await forget();
    const [{ id: ledgerId }] = (await shop.get("/api/reseller/ledger")).body;
    const takeBack = (amount: number) =>
      admin.post(`/api/admin/resellers/${resellerId}/credits/take-back`, { ledgerId, amount });
    await takeBack(16);
    await told(shop);
    await takeBack(1);
    await told(shop, { type: "credits.low", data: { resellerId, username, balance: 4 } });
  });
});

test("only admins are told of an order of the admins, and of an extension of its key", async () => {
  const shop = await newShop();
  const order = { game: "FREE FIRE", deviceLimit: 1, count: 1, starts: "first_use", durationHours: 24 };
  const { orderId, keys } = (await admin.post("/api/admin/keys/generate", order)).body;
  const what = { externalId: null, game: "FREE FIRE", durationId: null, hours: 24, deviceLimit: 1 };
  expect(await eventsFor(adminWebhook)).toMatchObject([{ type: "order.created", data: { orderId, ...what } }]);
  await forget();
  await admin.post(`/api/admin/keys/${keys[0].id}/extend`, { hours: 24 });
  const data = { orderId, keyId: keys[0].id, key: keys[0].keyString.slice(-5), by: "admin" };
  expect(await eventsFor(adminWebhook)).toEqual([{ type: "key.extended", data, waitMs: 0 }]);
  expect(await eventsFor(shop.webhook)).toEqual([]);
});

describe("many keys at once are one event", () => {
  test("when the unused keys of an order are revoked", async () => {
    const shop = await newShop(10);
    const { orderId, keys } = await buy(shop, { count: 3 });
    await shop.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 3 });
    const keyIds = keys.map(({ id }) => id);
    expect(await eventsFor(shop.webhook)).toMatchObject([
      { type: "key.revoked", data: { orderId, count: 3, keyIds, amount: 3, by: "reseller" } },
    ]);
  });

  test("when a selection is extended or revoked in several transactions", async () => {
    const shop = await newShop(1000);
    const { keys } = await buy(shop, { count: 60, days: 5 });
    const keyIds = keys.map(({ id }) => id);
    const { mark } = (await shop.post("/api/reseller/keys/selected", {})).body;
    await shop.post("/api/reseller/keys/selected/extend", { mark, count: 60, days: 5 });
    expect(await eventsFor(shop.webhook)).toMatchObject([{ type: "key.extended", data: { count: 60, keyIds } }]);
    await forget();
    panel.clock.now += msPerMinute;
    const { status, text } = await shop.post("/api/reseller/keys/selected/revoke", { mark, count: 60 });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(await eventsFor(shop.webhook)).toMatchObject([
      { type: "key.revoked", data: { count: 60, keyIds, by: "reseller" }, waitMs: 0 },
    ]);
  });

  test("when an intervention has reached all keys", async () => {
    const shop = await newShop(10);
    await buy(shop, { count: 2 });
    const form = { kind: "compensate", scope: { resellerId: shop.id }, hours: 5, reason: "Outage", dryRun: false };
    const { body } = await admin.post("/api/admin/interventions", form);
    await panel.server.interventionWork.run();
    const done = { type: "intervention.done", data: { resellerId: shop.id, username: shop.username, count: 2 } };
    expect(await eventsFor(adminWebhook)).toMatchObject([done]);
    expect(await eventsFor(shop.webhook)).toEqual([]);
    await admin.post(`/api/admin/interventions/${body.id}/undo`);
    await panel.server.interventionWork.run();
    expect(await eventsFor(adminWebhook)).toHaveLength(1);
  });
});

test("only admins are told of registrations and suspensions, and a suspended reseller of nothing", async () => {
  const shop = await newShop(10);
  const { keys } = await buy(shop, { count: 2 });
  await admin.post(`/api/admin/resellers/${shop.id}/toggle-status`, { isActive: false });
  await verify(keys[0]?.keyString ?? "", "phone");
  const types = async (webhook: number) => (await eventsFor(webhook)).map(({ type }) => type);
  expect(await types(adminWebhook)).toEqual(["reseller.suspended", "device.connected"]);
  expect(await types(shop.webhook)).toEqual([]);
  await admin.post(`/api/admin/resellers/${shop.id}/toggle-status`, { isActive: true });
  await verify(keys[1]?.keyString ?? "", "phone");
  expect(await types(shop.webhook)).toEqual(["device.connected"]);
  await forget();
  await registerReseller(panel.newClient, admin, { username: "newcomer", credits: 3 });
  expect(await eventsFor(adminWebhook)).toMatchObject([
    { type: "reseller.registered", data: { username: "newcomer", balance: 3 } },
  ]);
});

describe("a key that expires soon is told once", () => {
  const told = async (shop: Shop) => {
    await panel.server.expiringKeys.recordExpiring();
    const keys = (await eventsFor(shop.webhook)).map(({ type, data }) => [type, data.keyId]);
    await forget();
    return keys;
  };

  test("when less than 72 hours are left, and again after an extension", async () => {
    const shop = await newShop(100);
    const bought = await buy(shop, { count: 2, days: 5 });
    const [first, second] = bought.keys.map(({ id }) => id);
    panel.clock.now += 2 * msPerDay;
    expect(await told(shop)).toEqual([]);
    panel.clock.now += 1;
    expect(await told(shop)).toEqual([
      ["key.expiring", first],
      ["key.expiring", second],
    ]);
    panel.clock.now += msPerHour;
    expect(await told(shop)).toEqual([]);
    await shop.post(`/api/reseller/keys/${first}/extend`, { days: 5 });
    await forget();
    panel.clock.now += 5 * msPerDay - msPerHour;
    expect(await told(shop)).toEqual([["key.expiring", first]]);
  });

  test("but not if it began with less, while it is paused, or while the clock is ahead", async () => {
    const shop = await newShop(100);
    const form = { game: "FREE FIRE", deviceLimit: 1, count: 1, starts: "first_use", durationHours: 24 };
    const short = (await admin.post("/api/admin/keys/generate", form)).body.keys[0];
    await verify(short.keyString, "phone");
    const { keys } = await buy(shop, { count: 2, days: 5 });
    await admin.post(`/api/admin/keys/${keys[0]?.id}/pause`);
    panel.clock.now += 2 * msPerDay + 1;
    panel.clock.isAhead = true;
    expect(await told(shop)).toEqual([]);
    panel.clock.isAhead = false;
    expect(await told(shop)).toEqual([["key.expiring", keys[1]?.id]]);
    await admin.post(`/api/admin/keys/${keys[0]?.id}/resume`);
    await forget();
    panel.clock.now += 2 * msPerDay + 1;
    expect(await told(shop)).toEqual([["key.expiring", keys[0]?.id]]);
  });

  test("and not if no webhook was on when it had 72 hours left", async () => {
    await panel.database.write`UPDATE webhooks SET is_active = 0`;
    const shop = await newShop(100);
    await shop.call("PUT", `/api/reseller/webhooks/${shop.webhook}`, { isActive: false });
    const { keys } = await buy(shop, { days: 5 });
    panel.clock.now += 3 * msPerDay;
    expect(await told(shop)).toEqual([]);
    await shop.call("PUT", `/api/reseller/webhooks/${shop.webhook}`, { isActive: true });
    expect(await told(shop)).toEqual([]);
    await shop.post(`/api/reseller/keys/${keys[0]?.id}/extend`, { days: 5 });
    await forget();
    panel.clock.now += 5 * msPerDay;
    expect(await told(shop)).toEqual([["key.expiring", keys[0]?.id]]);
  });
});

test("a device that connects or gives way costs no statement more where no webhook gets that event", async () => {
  await panel.database.write`UPDATE webhooks SET is_active = 0`;
  const shop = await newShop(100);
  await shop.call("PUT", `/api/reseller/webhooks/${shop.webhook}`, { isActive: false });
  const { keys } = await buy(shop, { count: 3, days: 30 });
  const { transaction } = panel.database;
  let statements = 0;
  panel.database.transaction = (queue, work) =>
    transaction(queue, (unit) => {
      const sql: typeof unit.sql = (...statement) => {
        statements += 1;
        return unit.sql(...statement);
      };
      return work({ ...unit, sql });
    });
  /** How many statements connect a device of the next key, and another one that replaces it once it is idle. */
  const needed = async () => {
    statements = 0;
    const keyString = keys.pop()?.keyString ?? "";
    await verify(keyString, "phone");
    panel.clock.now += 8 * msPerDay;
    expect((await verify(keyString, "tablet")).body.code).toBe("VALID");
    return statements;
  };
  await admin.call("PUT", "/api/admin/games/3", { release: { idleDays: 7 } });
  const unheard = await needed();
  await panel.database.write`UPDATE webhooks SET is_active = 1 WHERE account_id NOT IN (1, ${shop.id})`;
  expect(await needed()).toBe(unheard);
  await panel.database.write`UPDATE webhooks SET is_active = 1`;
  expect(await needed()).toBeGreaterThan(unheard);
  panel.database.transaction = transaction;
});
