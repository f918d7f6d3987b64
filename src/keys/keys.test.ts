import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { keySpelling } from "../../tests/key-spellings.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import { normalKeyText } from "../core/key-text.ts";
import type { Database } from "../db/contract.ts";
import { createKeys, type Keys } from "./keys.ts";
import { insertKey } from "./store.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;
let stranger: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 1_000 });
  stranger = await registerReseller(panel.newClient, admin, { username: "stranger", credits: 10 });
});
afterAll(() => panel.close());

const buy = (order: object = {}, headers = {}) =>
  seller.post(
    "/api/reseller/keys/generate",
    { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, ...order },
    headers,
  );
const make = (order: object = {}, headers = {}) =>
  admin.post(
    "/api/admin/keys/generate",
    { game: "FREE FIRE", deviceLimit: 1, expiryDate: "2025-04-01", count: 1, ...order },
    headers,
  );

describe("buying keys", () => {
  test.each([
    [5, 0.5],
    [10, 1],
    [20, 2],
    [30, 3],
    [60, 6],
  ])("a key for %d days costs %d credits and is valid for exactly that long", async (days, price) => {
    const before = (await seller.get("/api/reseller/profile")).body.credits;
    const { status, body } = await buy({ days, count: 2 });
    expect([status, body.credits]).toEqual([201, before - 2 * price]);
    const [key] = body.keys;
    expect(Date.parse(key.expiryDate) - Date.parse(key.createdAt)).toBe(days * msPerDay);
    expect(key).toMatchObject({ status: "ACTIVE", devices: 0, deviceLimit: 1, game: "FREE FIRE" });
  });

  test("a custom key is the first of the batch, stored as typed, and unique regardless of case", async () => {
    const { body } = await buy({ keyString: "  Summer_2025 ", count: 3 });
    const [first, second] = body.keys;
    expect([first.keyString, second.keyString]).toEqual([
      "Summer_2025",
      expect.stringMatching(/^FIRE(-[A-Z0-9]{5}){3}$/),
    ]);
    const again = await buy({ keyString: "SUMMER_2025" });
    expect([again.status, again.body.code]).toEqual([409, "KEY_TAKEN"]);
  });

  test("a custom key loses its invisible characters, and no two keys have one normal form", async () => {
    expect((await buy({ keyString: " \u200fWin\u200bter_2025\u2069 " })).body.keys[0].keyString).toBe("Winter_2025");
    const again = await buy({ keyString: "WINTER\ufeff_2025" });
    expect([again.status, again.body.code]).toEqual([409, "KEY_TAKEN"]);
    expect((await buy({ keyString: "\u200f\u2069" })).body.keys[0].keyString).toStartWith("FIRE-");
    for (const keyString of ["Win ter", "Win\u2013ter", "W\u200b\u200bin", `${"a\u200b".repeat(64)}a`])
      expect([keyString, (await buy({ keyString })).status]).toEqual([keyString, 422]);

    await panel.database
      .transaction(null, async ({ sql }) => {
        const kept = new Set<string>();
        const key = {
          gameId: 3,
          deviceLimit: 1,
          createdAt: 1,
          expiresAt: 2,
          isFirstUse: 0,
          startedAt: 1,
          durationHours: 1,
        };
        for (const { key: text, sent } of fc.sample(keySpelling, 100)) {
          for (const keyString of [sent, text]) {
            const id = await insertKey(sql, { ...key, keyString, resellerId: null, createdBy: 1, orderId: null });
            expect([keyString, id === null]).toEqual([keyString, kept.has(normalKeyText(keyString))]);
            kept.add(normalKeyText(keyString));
          }
        }
        throw new Error("rolled back");
      })
      .catch(({ message }) => expect(message).toBe("rolled back"));
  });

  test("a batch with a taken custom key creates nothing and costs nothing", async () => {
    const before = (await seller.get("/api/reseller/profile")).body;
    const count = (await seller.get("/api/reseller/keys")).body.length;
    expect((await buy({ keyString: "summer_2025", count: 50 })).status).toBe(409);
    expect((await seller.get("/api/reseller/profile")).body).toEqual(before);
    expect((await seller.get("/api/reseller/keys")).body).toHaveLength(count);
  });

  test("an Idempotency-Key is remembered for 24 hours per reseller", async () => {
    const headers = { "idempotency-key": "monday" };
    const first = await buy({}, headers);
    expect((await buy({}, headers)).text).toBe(first.text);
    const others = await stranger.post(
      "/api/reseller/keys/generate",
      { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 },
      headers,
    );
    expect(others.body.keys[0].id).not.toBe(first.body.keys[0].id);
    panel.clock.now += msPerDay;
    expect((await buy({}, headers)).body.keys[0].id).not.toBe(first.body.keys[0].id);
  });

  test("an Idempotency-Key has 1 to 255 characters", async () => {
    expect((await buy({}, { "idempotency-key": "k".repeat(255) })).status).toBe(201);
    for (const key of ["", "k".repeat(256)]) {
      expect(await buy({}, { "idempotency-key": key })).toMatchObject({
        status: 422,
        body: { code: "INVALID", message: "Idempotency-Key must be 1 to 255 characters" },
      });
    }
  });

  test("an expired Idempotency-Key can be used again, even if many expired ones are not yet deleted", async () => {
    const headers = { "idempotency-key": "tuesday" };
    const first = await buy({}, headers);
    await panel.database.transaction(null, async ({ sql }) => {
      for (let key = 0; key < 100; key += 1) {
        await sql`INSERT INTO idempotency_keys (account_id, idempotency_key, request_hash, answer, created_at)
          VALUES (1, ${`old ${key}`}, 'x', '{}', 1)`;
      }
    });
    panel.clock.now += msPerDay;
    const second = await buy({}, headers);
    expect(second.body.keys[0].id).not.toBe(first.body.keys[0].id);
    expect((await buy({}, headers)).text).toBe(second.text);
    const left = async () => (await panel.database.read`SELECT 1 FROM idempotency_keys WHERE created_at = 1`).length;
    for (let purchase = 0; (await left()) > 0; purchase += 1) await buy({}, { "idempotency-key": `other ${purchase}` });
  });

  test("every balance equals the sum of its ledger", async () => {
    const rows = await panel.database.read<{ balance: number; sum: number }>`
      SELECT r.credits_tenths AS balance, CAST(sum(l.amount_tenths) AS BIGINT) AS sum
      FROM resellers r JOIN credit_ledger l ON l.reseller_id = r.id GROUP BY r.id`;
    expect(rows).toHaveLength(2);
    for (const { balance, sum } of rows) expect(balance).toBe(sum);
  });
});

describe("an admin's keys", () => {
  test("are free, have no owner, and are valid until the end of the day in UTC", async () => {
    const { body } = await make({ expiryDate: "2025-03-20", deviceLimit: 100, count: 2 });
    expect(body.keys[0]).toMatchObject({ expiryDate: "2025-03-20T23:59:59.999Z", deviceLimit: 100, isRevoked: false });
    expect((await seller.get(`/api/reseller/keys/${body.keys[0].id}`)).status).toBe(404);
  });

  test("are returned again for their Idempotency-Key, even after their expiry", async () => {
    const headers = { "idempotency-key": "short-lived" };
    const order = { expiryDate: isoOf(panel.clock.now + msPerHour) };
    const first = await make(order, headers);
    panel.clock.now += 2 * msPerHour;
    const again = await make(order, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await make(order)).body.message).toBe("Expiry date must be in the future");
  });

  test("are listed with their total count, whatever the filters", async () => {
    const all = (await admin.get("/api/admin/keys/manage")).body;
    expect(all.totalCount).toBe(all.keys.length);
    const none = (await admin.get("/api/admin/keys/manage?search=nothing-like-it&game=all&status=")).body;
    expect(none).toEqual({ keys: [], totalCount: all.totalCount, matchCount: 0, nextCursor: null });
  });
});

describe("a list of keys", () => {
  const query = (parameters: string) => seller.get(`/api/reseller/keys?${parameters}`);

  test("is filtered by text ignoring case, game and status", async () => {
    await buy({ game: "PUBG MOBILE", keyString: "needle-100" });
    expect((await query("search=NEEDLE")).body).toHaveLength(1);
    expect((await query("search=needle&game=FREE%20FIRE")).body).toHaveLength(0);
    expect((await query("search=needle&status=ACTIVE&game=PUBG%20MOBILE")).body).toHaveLength(1);
    expect((await query("search=%25")).body).toHaveLength(0);
  });

  test.each(["created", "expiry", "devices", "key"])(
    "paged and sorted by %s has every row once, in the order of the whole list",
    async (sort) => {
      for (const order of ["asc", "desc"]) {
        const whole = (await query(`sort=${sort}&order=${order}`)).body.map(({ id }: { id: number }) => id);
        const paged: number[] = [];
        let next: string | null = `/api/reseller/keys?sort=${sort}&order=${order}&limit=3`;
        while (next) {
          const page = await seller.get(next);
          expect(page.body.length).toBeLessThanOrEqual(3);
          paged.push(...page.body.map(({ id }: { id: number }) => id));
          next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? null;
        }
        expect(paged).toEqual(whole);
      }
    },
  );

  test.each([
    ...["limit=0", "limit=201", "limit=x", "cursor=nonsense", "sort=colour", "status=LOST", "cursor=WzFd"],
    // Of another sort: [1,1] and ["a",1].
    ...["sort=key&cursor=WzEsMV0", "sort=created&cursor=WyJhIiwxXQ"],
  ])("refuses %s", async (parameters) => {
    const response = await query(parameters);
    expect([response.status, response.body.code]).toEqual([422, "INVALID"]);
  });
});

describe("revoking", () => {
  test("is permanent, and a reseller cannot revoke an expired key", async () => {
    const { body } = await buy({ count: 2 });
    const [first, second] = body.keys;
    expect((await stranger.post(`/api/reseller/keys/${first.id}/revoke`)).status).toBe(404);
    expect((await seller.post(`/api/reseller/keys/${first.id}/revoke`)).body.key.status).toBe("REVOKED");
    expect((await seller.post(`/api/reseller/keys/${first.id}/revoke`)).body.code).toBe("KEY_ALREADY_REVOKED");
    expect((await admin.call("DELETE", `/api/admin/keys/${first.id}`)).status).toBe(409);

    const start = panel.clock.now;
    panel.clock.now += 5 * msPerDay;
    const expired = await seller.post(`/api/reseller/keys/${second.id}/revoke`);
    expect([expired.status, expired.body.code]).toEqual([409, "KEY_NOT_ACTIVE"]);
    expect((await admin.call("DELETE", `/api/admin/keys/${second.id}`)).body.key).toMatchObject({
      isRevoked: true,
      daysRemaining: 0,
    });
    panel.clock.now = start;
  });
});

describe("devices", () => {
  const connect = (key: string, deviceId: string) =>
    panel.newClient().post("/api/verify", { key, deviceId, game: "FREE FIRE" });

  test("can be removed by the owner of an active key, which frees their slot", async () => {
    const [key] = (await buy()).body.keys;
    await connect(key.keyString, "old-phone");
    expect((await connect(key.keyString, "new-phone")).body.code).toBe("DEVICE_LIMIT_REACHED");
    const [device] = (await seller.get(`/api/reseller/keys/${key.id}`)).body.devices;
    expect(device).toMatchObject({ deviceId: "old-phone" });
    const path = `/api/reseller/keys/${key.id}/devices/${device.id}/remove`;
    expect((await stranger.post(path)).status).toBe(404);
    expect((await seller.post(path)).body).toEqual({ message: "Device removed successfully" });
    expect((await seller.post(path)).status).toBe(404);
    expect((await connect(key.keyString, "new-phone")).body).toMatchObject({ code: "VALID", currentDevices: 1 });
    const [connected] = (await seller.get(`/api/reseller/keys/${key.id}`)).body.devices;
    await seller.post(`/api/reseller/keys/${key.id}/revoke`);
    const revoked = await seller.post(`/api/reseller/keys/${key.id}/devices/${connected.id}/remove`);
    expect([revoked.status, revoked.body.code]).toEqual([409, "KEY_NOT_ACTIVE"]);
  });

  test("can be removed by an admin from any active key, which is in its timeline", async () => {
    const [bought] = (await buy()).body.keys;
    const [made] = (await make()).body.keys;
    for (const key of [bought, made]) {
      await connect(key.keyString, "old-phone");
      const [device] = (await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices;
      const path = `/api/admin/keys/${key.id}/devices/${device.id}/remove`;
      expect((await admin.post(path)).body).toEqual({ message: "Device removed successfully" });
      expect((await admin.post(path)).status).toBe(404);
      expect((await connect(key.keyString, "new-phone")).body).toMatchObject({ code: "VALID", currentDevices: 1 });
      const { events } = (await admin.get(`/api/admin/keys/${key.id}/timeline`)).body;
      expect(events).toContainEqual(expect.objectContaining({ kind: "device_removed", by: "admin" }));
    }
    const [connected] = (await admin.get(`/api/admin/keys/${bought.id}/details`)).body.devices;
    await admin.call("DELETE", `/api/admin/keys/${bought.id}`);
    const revoked = await admin.post(`/api/admin/keys/${bought.id}/devices/${connected.id}/remove`);
    expect([revoked.status, revoked.body.code]).toEqual([409, "KEY_NOT_ACTIVE"]);
  });

  test.each<[string, (keys: Keys, id: number) => Promise<unknown>]>([
    ["an admin", (keys, id) => keys.openForAdmin(id)],
    ["its reseller", (keys, id) => keys.openForReseller(seller.id, id)],
  ])("that connect while %s opens the key are both counted and listed", async (_who, open) => {
    const [{ id, keyString }] = (await buy({ deviceLimit: 2 })).body.keys;
    const { database } = panel;
    const connecting: Database = {
      ...database,
      async read(strings, ...values) {
        const rows = await database.read<never>(strings, ...values);
        await connect(keyString, "phone");
        return rows;
      },
    };
    const now = () => panel.clock.now;
    const changes = createAuditedChanges({ database, now });
    const keys = createKeys({
      ...{ database: connecting, changes, refunds: panel.server.refunds, now },
      refuseFreeCalls: async () => {},
    });
    expect(await open(keys, id)).toMatchObject({ deviceCount: 1, devices: [{ deviceId: "phone" }] });
  });

  test("can all be reset at once, and the response counts the keys that had devices", async () => {
    await admin.post("/api/admin/keys/reset-devices");
    const keys = (await buy({ count: 3, deviceLimit: 2 })).body.keys;
    const [ours] = (await make({ count: 1 })).body.keys;
    for (const { keyString } of [keys[0], keys[1], ours]) await connect(keyString, "phone");
    await connect(keys[0].keyString, "tablet");
    expect((await admin.post("/api/admin/keys/reset-devices")).body).toEqual({ resetCount: 3 });
    expect((await admin.post("/api/admin/keys/reset-devices")).body).toEqual({ resetCount: 0 });
    expect((await seller.get(`/api/reseller/keys/${keys[0].id}`)).body).toMatchObject({ deviceCount: 0, devices: [] });
  });

  test("and all other events are in the key's history, newest first", async () => {
    const [key] = (await buy({ deviceLimit: 2 })).body.keys;
    const later = () => {
      panel.clock.now += msPerHour;
    };
    later();
    await connect(key.keyString, "phone");
    const [device] = (await seller.get(`/api/reseller/keys/${key.id}`)).body.devices;
    later();
    await seller.post(`/api/reseller/keys/${key.id}/devices/${device.id}/remove`);
    later();
    await connect(key.keyString, "tablet");
    later();
    await admin.post("/api/admin/keys/reset-devices");
    later();
    await admin.call("DELETE", `/api/admin/keys/${key.id}`);
    const { body } = await admin.get(`/api/admin/keys/${key.id}/details`);
    expect(body).toMatchObject({
      createdBy: "seller",
      ownerId: seller.id,
      owner: "seller",
      revokedBy: "admin",
      devices: [],
    });
    expect(body.history.map(({ what, by, deviceId }: Record<string, string>) => [what, by, deviceId])).toEqual([
      ["REVOKED", "admin", null],
      ["DEVICES_RESET", "admin", null],
      ["DEVICE_REMOVED", "seller", "phone"],
      ["CREATED", "seller", null],
    ]);
  });
});
