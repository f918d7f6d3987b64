import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { startedRow } from "../../tests/key-times.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay, msPerMinute } from "../core/clock.ts";
import { part, type SqlPart } from "../db/contract.ts";
import { insertOrder, noteOrder } from "./store.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 500 });
  other = await registerReseller(panel.newClient, admin, { username: "other", credits: 50 });
});
afterAll(() => panel.close());

const purchase = { game: "PUBG MOBILE", deviceLimit: 2, days: 30, count: 3 };
const buy = async (order: object = {}, headers?: Record<string, string>) =>
  (await reseller.post("/api/reseller/keys/generate", { ...purchase, ...order }, headers)).body;
const make = async (order: object = {}) => {
  const expiryDate = new Date(panel.clock.now + 36 * msPerDay + 5).toISOString();
  const wanted = { game: "FREE FIRE", deviceLimit: 10, expiryDate, count: 2, ...order };
  return (await admin.post("/api/admin/keys/generate", wanted)).body;
};
const connect = (key: { keyString: string; game: string }) =>
  panel.newClient().post("/api/verify", { key: key.keyString, game: key.game, deviceId: "phone" });
const idsAt = async (client: Client, path: string) =>
  (await client.get(path)).body.map(({ id }: { id: number }) => id) as number[];

test("while the clock is ahead, no key is sold or made, and a key can be revoked", async () => {
  const { keys } = await buy({ count: 1 });
  const balance = (await reseller.get("/api/reseller/profile")).body.credits;
  panel.clock.isAhead = true;
  expect([await buy(), await make()]).toMatchObject([{ code: "CLOCK_AHEAD" }, { code: "CLOCK_AHEAD" }]);
  const revoked = await reseller.post(`/api/reseller/keys/${keys[0].id}/revoke`);
  panel.clock.isAhead = false;
  expect(revoked.status).toBe(200);
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(balance);
});

describe("an order", () => {
  test("describes one purchase, with the current state of its keys", async () => {
    const { orderId, keys } = await buy();
    expect(keys.map((key: { orderId: number }) => key.orderId)).toEqual([orderId, orderId, orderId]);
    await connect(keys[1]);
    await reseller.post(`/api/reseller/keys/${keys[2].id}/revoke`);
    const { body } = await reseller.get(`/api/reseller/orders/${orderId}`);
    const { count, days, deviceLimit, game } = purchase;
    const at = "2025-03-05T14:30:00.000Z";
    expect(body).toEqual({
      ...{ id: orderId, kind: "generated", at, game, deviceLimit, days, count, cost: 9, note: null, externalId: null },
      ...{ by: "night.owl", shopLink: null, saleId: null },
      ...{ starts: "creation", durationHours: 720, undoneAt: null },
      keys: [keys[0], { ...keys[1], devices: 1 }, { ...keys[2], status: "REVOKED" }],
    });
    expect((await admin.get(`/api/admin/orders/${orderId}`)).body).toMatchObject({
      ...{ id: orderId, by: "night.owl", reseller: { id: reseller.id, username: "night.owl" }, cost: 9 },
      keys: [{ deviceCount: 0 }, { deviceCount: 1 }, { isRevoked: true }],
    });
  });

  test("of an admin is free, has no owner, and counts whole days", async () => {
    const { orderId, keys } = await make();
    const { body } = await admin.get(`/api/admin/orders/${orderId}`);
    expect(body).toMatchObject({ by: "admin", reseller: null, cost: 0, days: 36, count: 2, deviceLimit: 10 });
    expect(body.keys).toEqual(keys);
  });

  test("is named by what its keys show, in lists and opened", async () => {
    const { orderId, keys } = await buy({ count: 1 });
    expect((await reseller.get(`/api/reseller/keys/${keys[0].id}`)).body.orderId).toBe(orderId);
    expect((await admin.get(`/api/admin/keys/${keys[0].id}/details`)).body.orderId).toBe(orderId);
    expect((await reseller.get("/api/reseller/keys?limit=1")).body[0].orderId).toBe(orderId);
  });

  test("is returned again for a retry and exists once", async () => {
    const before = (await idsAt(reseller, "/api/reseller/orders")).length;
    const headers = { "idempotency-key": "retried" };
    const first = await buy({}, headers);
    expect(await buy({}, headers)).toEqual(first);
    expect((await idsAt(reseller, "/api/reseller/orders")).length).toBe(before + 1);
  });

  test("does not exist if the credits do not suffice", async () => {
    const orders = await idsAt(other, "/api/reseller/orders");
    const response = await other.post("/api/reseller/keys/generate", { ...purchase, days: 60, count: 100 });
    expect([response.status, await idsAt(other, "/api/reseller/orders")]).toEqual([402, orders]);
  });

  test("matches the audit log", async () => {
    const { orderId } = await buy({ days: 5, count: 2 });
    const [row] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(row).toMatchObject({
      ...{ action: "keys_generated", target: `order ${orderId}` },
      details: { count: 2, game: "PUBG MOBILE", days: 5, deviceLimit: 2, cost: 1 },
    });
  });

  test("of another reseller is a 404, but an admin can open any order", async () => {
    const { orderId } = await buy({ count: 1 });
    const { orderId: ofAdmins } = await make();
    for (const id of [orderId, ofAdmins]) {
      expect((await other.get(`/api/reseller/orders/${id}`)).status).toBe(404);
      expect((await admin.get(`/api/admin/orders/${id}`)).status).toBe(200);
    }
  });
});

describe("the list of orders", () => {
  test("has the own orders, newest first, and is the same by page and as a whole", async () => {
    for (const game of ["FREE FIRE", "PUBG MOBILE"]) {
      await buy({ game, count: 1 });
      panel.clock.now += msPerMinute;
    }
    const whole = await idsAt(reseller, "/api/reseller/orders");
    const paged: number[] = [];
    let next: string | null = "/api/reseller/orders?limit=2";
    while (next) {
      const page = await reseller.get(next);
      paged.push(...page.body.map(({ id }: { id: number }) => id));
      next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? null;
    }
    expect(paged).toEqual(whole);
    expect(whole).toEqual(whole.toSorted((a, b) => b - a));
    expect(await idsAt(admin, `/api/admin/resellers/${reseller.id}/orders`)).toEqual(whole);
    expect(await idsAt(other, "/api/reseller/orders")).toEqual([]);
    expect((await admin.get("/api/admin/orders")).body.every(({ by }: { by: string }) => by === "admin")).toBeTrue();
  });

  test("can be searched by number, with or without #, and by note, and filtered by game", async () => {
    const { orderId } = await buy({ count: 1, game: "LAST ISLAND OF SURVIVAL" });
    await reseller.call("PUT", `/api/reseller/orders/${orderId}/note`, { note: "100% Summer Çup" });
    for (const search of [`${orderId}`, `%23${orderId}`, "100%25 SUMMER", "Çup"]) {
      expect([search, await idsAt(reseller, `/api/reseller/orders?search=${search}`)]).toEqual([search, [orderId]]);
    }
    expect(await idsAt(reseller, "/api/reseller/orders?search=no+such&limit=5")).toEqual([]);
    expect(await idsAt(reseller, "/api/reseller/orders?game=LAST+ISLAND+OF+SURVIVAL")).toEqual([orderId]);
  });

  const unnamed = { externalId: null, requestHash: null, shopLinkId: null, shopLinkName: null, saleId: null };

  test("finds thousands of matching notes, newest first, over all pages", async () => {
    const bought = { resellerId: other.id, madeBy: other.id, gameId: 3, deviceLimit: 1, days: 5, ...startedRow };
    const firstId = await panel.database.transaction(null, async ({ sql }) => {
      const ids: number[] = [];
      for (let at = 1; at <= 2_500; at += 1) {
        const id = await insertOrder(sql, { ...bought, count: 1, costTenths: 5, at, ...unnamed });
        await noteOrder(sql, id, "anyone", `Clan ${at}`);
        ids.push(id);
      }
      return ids[0] as number;
    });
    const { body, headers } = await other.get("/api/reseller/orders?search=clan&limit=2");
    expect(body.map(({ note }: { note: string }) => note)).toEqual(["Clan 2500", "Clan 2499"]);
    const next = headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
    expect(await idsAt(other, next)).toEqual([firstId + 2497, firstId + 2496]);
    expect(await idsAt(other, `/api/reseller/orders?search=clan+17&limit=1`)).toEqual([firstId + 1798]);
    expect(await idsAt(other, `/api/reseller/orders?search=%23${firstId}&limit=1`)).toEqual([firstId]);
  });

  test("of a missing reseller is a 404", async () => {
    expect((await admin.get("/api/admin/resellers/999/orders?limit=5")).status).toBe(404);
  });
});

describe("a note", () => {
  test("of an order can be set, changed and removed by its owner", async () => {
    const { orderId } = await buy({ count: 1 });
    const set = async (note: string | null) =>
      (await reseller.call("PUT", `/api/reseller/orders/${orderId}/note`, { note })).body.order.note;
    expect([await set("  for Ana "), await set("for Ben"), await set(""), await set("again"), await set(null)]).toEqual(
      ["for Ana", "for Ben", null, "again", null],
    );
    const path = `/api/admin/orders/${orderId}/note`;
    expect((await admin.call("PUT", path, { note: "mine" })).status).toBe(404);
    expect((await admin.get(`/api/admin/orders/${orderId}`)).body.note).toBeNull();
  });

  test("is in the audit log without its text, and only if it changed", async () => {
    const { orderId } = await make();
    const set = () => admin.call("PUT", `/api/admin/orders/${orderId}/note`, { note: "for Ana" });
    await set();
    const [row] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(row).toMatchObject({ action: "note_changed", target: `order ${orderId}`, details: {} });
    await set();
    expect((await admin.get("/api/admin/audit?limit=1")).body[0].id).toBe(row.id);
  });

  test.each([
    ["of more than 200 characters", "x".repeat(201), ""],
    ["with a line break", "one\ntwo", "U+000A"],
    ["with a NUL", "\u0000", "U+0000"],
    ["with a bidirectional override", "for \u202eanA", "U+202E"],
    ["with a zero-width space", "for\u200b Ana", "U+200B"],
    ["with a selector after a space", "Ana \ufe0f", "U+FE0F"],
    ["with a second selector", "Ana ❤\ufe0f\ufe0e", "U+FE0E"],
    ["with a joiner after a bracket", "(\u200d", "U+200D"],
    ["with a second joiner", "a\u200c\u200c", "U+200C"],
    ["with a joiner after a filler", "\u3164\u200d", "U+3164"],
    ["with a tag", "🏴\u{e0067}", "U+E0067"],
    ["with a lone surrogate", "Ana \ud800", "U+D800"],
    ["with a line separator", "one\u2028two", "U+2028"],
    ["that is a number", 5, ""],
  ])("%s is a 422", async (_, note, named) => {
    const { orderId } = await buy({ count: 1 });
    const response = await reseller.call("PUT", `/api/reseller/orders/${orderId}/note`, { note });
    const sentence = "Note must be one line of at most 200 characters, without invisible ones";
    const message = named === "" ? sentence : `${sentence}; it contains ${named}`;
    expect([response.status, response.body.errors]).toEqual([422, [{ path: "note", message }]]);
  });

  test("that is null beside a wrong field is a 422 about that field", async () => {
    const { status, body } = await admin.post("/api/admin/resellers/credits", { resellerId: 1, amount: 0, note: null });
    expect([status, body.errors]).toEqual([422, [{ path: "amount", message: "Amount must be at least 1" }]]);
  });

  test.each([
    ...["100 % für Ана", "de\u00a0l'été", "電話\u3000📱", "مفتاح"],
    ...["paid ❤️", "1️⃣ #️⃣ *️⃣ ‼️", "👩‍👩‍👧 👨🏽‍🚀 ❤️‍🔥 🏳️‍🌈", "می‌خواهم", "क्‍ष ශ්‍රී", "葛\u{e0100}", "ᠠ᠋"],
  ])("%s is accepted", async (note) => {
    const { orderId } = await buy({ count: 1 });
    const { status, body } = await reseller.call("PUT", `/api/reseller/orders/${orderId}/note`, { note });
    expect([status, body.order?.note]).toEqual([200, note]);
  });
});

describe("revoking the unused keys of an order", () => {
  test("keeps keys with a device, and the totals stay right", async () => {
    const { orderId, keys } = await buy({ count: 4 });
    await connect(keys[0]);
    await reseller.post(`/api/reseller/keys/${keys[1].id}/revoke`);
    const response = await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 2 });
    expect(response.body).toEqual({ message: "Keys revoked successfully", revokedCount: 2, refund: 0 });
    const { body } = await reseller.get(`/api/reseller/orders/${orderId}`);
    const statuses = body.keys.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(["ACTIVE", "REVOKED", "REVOKED", "REVOKED"]);
    expect((await connect(keys[0])).body.code).toBe("VALID");
    expect((await connect(keys[2])).body.code).toBe("REVOKED");
    const all = (await reseller.get("/api/reseller/keys")).body as { status: string }[];
    const counted = await reseller.get("/api/reseller/keys?limit=1&count=true&status=REVOKED");
    expect(Number(counted.headers.get("x-match-count"))).toBe(all.filter(({ status }) => status === "REVOKED").length);
    const [row] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(row).toMatchObject({
      ...{ action: "key_revoked", target: `order ${orderId}` },
      details: { count: 2, game: "PUBG MOBILE", owner: "night.owl" },
    });
  });

  test("does nothing if the count differs", async () => {
    const { orderId, keys } = await buy({ count: 3 });
    await connect(keys[0]);
    const response = await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 3 });
    expect([response.status, response.body.code, response.body.message]).toEqual([
      409,
      "COUNT_CHANGED",
      "The order now has 2 unused keys, so nothing was revoked. Please check again.",
    ]);
    expect((await reseller.get(`/api/reseller/orders/${orderId}`)).body.keys[1].status).toBe("ACTIVE");
  });

  test("writes nothing if the count differs", async () => {
    const { orderId } = await buy({ count: 2, game: "LAST ISLAND OF SURVIVAL" });
    const setRevoked = (count: SqlPart) =>
      panel.database.transaction(
        null,
        ({ sql }) => sql`
        UPDATE key_totals SET revoked_count = ${count} WHERE game_id = 2`,
      );
    // The totals admit no more revoked keys, so revoking any would fail.
    await setRevoked(part`made_count`);
    const response = await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 1 });
    await setRevoked(part`0`);
    expect([response.status, response.body.code]).toEqual([409, "COUNT_CHANGED"]);
  });

  test("is allowed for the owner and admins only", async () => {
    const { orderId } = await buy({ count: 2 });
    expect((await other.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 2 })).status).toBe(404);
    expect((await admin.post(`/api/admin/orders/${orderId}/revoke-unused`, { count: 2 })).body.revokedCount).toBe(2);
    expect((await admin.post("/api/admin/orders/999999/revoke-unused", { count: 2 })).status).toBe(404);
  });

  test("leaves expired keys unchanged", async () => {
    const { orderId } = await buy({ count: 2, days: 5 });
    panel.clock.now += 6 * msPerDay;
    expect((await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 2 })).status).toBe(409);
    panel.clock.now -= 6 * msPerDay;
  });
});
