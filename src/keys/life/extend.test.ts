import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../../tests/client.ts";
import { days, openShop, type Shop, type Sold } from "../../../tests/shop.ts";
import { isoOf, msPerHour } from "../../core/clock.ts";
import { extendedKeysMax } from "../limits.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  shop.clock.isAhead = false;
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(100);
});
afterAll(() => shop.close());

type Headers = Record<string, string>;
const extend = ({ id }: Sold, body: object = { days: 30 }, headers?: Headers) =>
  reseller.post(`/api/reseller/keys/${id}/extend`, body, headers);
const extendFree = ({ id }: Sold, hours = 36, headers?: Headers) =>
  admin.post(`/api/admin/keys/${id}/extend`, { hours }, headers);
/** So much later that sessions have ended. */
async function pass(ms: number) {
  shop.clock.now += ms;
  admin = await shop.newAdmin();
  await reseller.post("/api/auth/reseller/login", {
    username: reseller.username,
    password: "test-reseller-password",
  });
}
const inDays = (count: number) => isoOf(shop.clock.now + days(count));

describe("extending a key", () => {
  test("costs a reseller the price of the duration, and returns the key, the cost and the credits", async () => {
    const [key] = await shop.buy(reseller);
    const { status, body } = await extend(key, { days: 60 });
    expect([status, body]).toMatchObject([
      200,
      { message: "Key extended successfully", cost: 6, credits: 91, key: { id: key.id, expiryDate: inDays(90) } },
    ]);
    expect((await extend(key, { durationId: 1 })).body).toMatchObject({ cost: 0.5, credits: 90.5 });
    expect(await shop.detail(key)).toMatchObject({ expiryDate: inDays(95), durationHours: 720 });
    expect((await shop.ledger(reseller)).slice(0, 2)).toMatchObject([
      { reason: "key_extension", amount: -0.5, balance: 90.5, orderId: key.orderId, keyId: key.id, grantId: null },
      { reason: "key_extension", amount: -6, balance: 91, orderId: key.orderId, keyId: key.id },
    ]);
    expect((await reseller.get("/api/reseller/ledger?reason=key_extension")).body).toHaveLength(2);
    expect((await shop.timeline(key))[0]).toMatchObject({ kind: "extended", by: reseller.username, count: 120 });
    expect(await shop.lastAudit()).toMatchObject({
      ...{ action: "key_extended", actor: { username: reseller.username }, details: { hours: 120, cost: 0.5 } },
    });
    await shop.expectSound();
  });

  test("is free for an admin, for any key and any hours", async () => {
    const [key] = await shop.buy(reseller);
    const credits = await shop.credits(reseller);
    const { status, body } = await extendFree(key, 36);
    expect([status, body]).toMatchObject([200, { key: { expiryDate: inDays(31.5), deviceCount: 0 } }]);
    expect([Object.keys(body).sort(), body.cost]).toEqual([["cost", "key", "message"], 0]);
    expect(await shop.credits(reseller)).toBe(credits);
    expect(await shop.lastAudit()).toMatchObject({ details: { hours: 36, cost: 0, owner: reseller.username } });
    for (const hours of [0, 8_761, 1.5, "2"]) {
      expect((await admin.post(`/api/admin/keys/${key.id}/extend`, { hours })).body.errors).toEqual([
        { path: "hours", message: "hours must be a whole number from 1 to 8760" },
      ]);
    }
  });

  test("starts from now if it has expired", async () => {
    const [key] = await shop.buy(reseller, { days: 5 });
    await pass(days(9));
    expect((await extend(key)).body.key).toMatchObject({ status: "ACTIVE", expiryDate: inDays(30) });
    expect((await shop.connect(key)).body.code).toBe("VALID");
    const [row] = await shop.database.read<{ renewals: number }>`
      SELECT sum(is_renewal) AS renewals FROM key_events WHERE key_id = ${key.id}`;
    expect(Number(row?.renewals)).toBe(1);
  });

  test("adds to the expiry of a paused key, even if that has passed", async () => {
    const [key] = await shop.buy(reseller, { days: 5 });
    const expiry = shop.clock.now + days(5);
    await pass(days(3));
    await shop.pause(key);
    await pass(days(9));
    expect((await extendFree(key, 24)).body.key).toMatchObject({
      ...{ status: "PAUSED", expiryDate: isoOf(expiry + days(1)), daysRemaining: 3 },
    });
  });

  test("makes the duration of a key longer that has not started", async () => {
    const [key] = await shop.buy(reseller, { starts: "first_use" });
    expect((await extend(key, { days: 10 })).body.key).toMatchObject({ expiryDate: null, durationHours: 960 });
    await shop.connect(key);
    expect(await shop.detail(key)).toMatchObject({ expiryDate: inDays(40), durationHours: 960 });
    await extend(key, { days: 10 });
    expect(await shop.detail(key)).toMatchObject({ expiryDate: inDays(50), durationHours: 960 });
  });

  test("does not revive a REVOKED key: 409", async () => {
    const [key] = await shop.buy(reseller);
    await reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    const credits = await shop.credits(reseller);
    for (const response of [await extend(key), await extendFree(key)]) {
      expect([response.status, response.body.code]).toEqual([409, "KEY_ALREADY_REVOKED"]);
    }
    expect([await shop.credits(reseller), (await shop.detail(key)).status]).toEqual([credits, "REVOKED"]);
  });

  test("beyond 100 years from now is a 409, also for a key that has not started", async () => {
    const [key, later] = [(await shop.buy(reseller))[0], (await shop.buy(reseller, { starts: "first_use" }))[0]];
    await shop.setExpiry(key, shop.clock.now + days(36_524));
    await shop.setDuration(later, 36_524 * 24);
    expect((await extendFree(key, 24)).status).toBe(200);
    for (const each of [key, later]) {
      expect((await extendFree(each, 25)).body).toEqual({
        code: "EXPIRY_TOO_FAR",
        message: "The expiry would be more than 100 years from now, so nothing was extended.",
      });
    }
    expect((await extend(key)).status).toBe(409);
    expect(await shop.credits(reseller)).toBe(94);
  });

  test("prices a limit that is not a reseller option as the next higher one that is", async () => {
    const [key] = await shop.buy(reseller, { deviceLimit: 2 });
    await shop.sellOnly(reseller, [
      [4, 2, 3],
      [4, 100, 7],
    ]);
    for (const [deviceLimit, cost] of [
      [2, 3],
      [5, 7],
      [10, 7],
      [100, 7],
    ]) {
      await admin.call("PUT", `/api/admin/keys/${key.id}/device-limit`, { deviceLimit });
      expect((await extend(key)).body).toMatchObject({ cost });
    }
  });

  test("is refused for what is not sold: the tier, the duration, the game, the price", async () => {
    const [key] = await shop.buy(reseller, { deviceLimit: 1 });
    await shop.sellOnly(reseller, [[4, 2, 3]]);
    const refusals: [object, number, string][] = [
      [{ days: 7 }, 422, "INVALID_DAY_TIER"],
      [{ durationId: 99 }, 422, "INVALID_DAY_TIER"],
      [{ days: 5, durationId: 2 }, 422, "INVALID"],
      [{}, 422, "INVALID"],
      [{ days: 30 }, 422, "NOT_SOLD"],
    ];
    for (const [body, status, code] of refusals) {
      const response = await extend(key, body);
      expect([response.status, response.body.code]).toEqual([status, code]);
    }
    await admin.call("PUT", "/api/admin/durations/4", { isRetired: true });
    expect((await extend(key)).body.code).toBe("INVALID_DAY_TIER");
    await admin.call("PUT", "/api/admin/durations/4", { isRetired: false });
  });

  test("of a retired game is refused to resellers and allowed to admins", async () => {
    const [key] = await shop.buy(reseller);
    await admin.call("PUT", "/api/admin/games/3", { isRetired: true });
    expect((await extend(key)).body).toEqual({ code: "NOT_SOLD", message: "FREE FIRE is no longer sold." });
    expect((await extendFree(key)).status).toBe(200);
    const { body } = await reseller.post("/api/reseller/keys/selected", { days: 30 });
    expect(body).toMatchObject({ selected: 1, toExtend: 0, cost: 0, expiry: null });
    await admin.call("PUT", "/api/admin/games/3", { isRetired: false });
  });

  test("with too few credits says how many are missing, and changes nothing", async () => {
    const poor = await shop.newReseller(3);
    const [key] = await shop.buy(poor);
    const response = await poor.post(`/api/reseller/keys/${key.id}/extend`, { days: 5 });
    expect([response.status, response.body]).toEqual([
      402,
      { code: "CREDITS_SHORT", message: "You need 0.5 more credits to extend 1 key(s)." },
    ]);
    expect((await shop.detail(key)).expiryDate).toBe(inDays(30));
  });

  test("while the clock is ahead is a 503 for both roles", async () => {
    const [key] = await shop.buy(reseller);
    shop.clock.isAhead = true;
    for (const response of [await extend(key), await extendFree(key)]) {
      expect([response.status, response.body.code]).toEqual([503, "CLOCK_AHEAD"]);
    }
  });

  test("of another reseller's key, or of an admin key, is a 404 for a reseller", async () => {
    const [key] = await shop.buy(await shop.newReseller());
    expect((await extend(key)).status).toBe(404);
    expect((await extendFree({ ...key, id: 999_999 })).status).toBe(404);
  });

  test("with the same Idempotency-Key is done once; for another key or body it is a 422", async () => {
    const [first, second] = (await shop.buy(reseller, { count: 2 })) as [Sold, Sold];
    for (const send of [
      extend,
      (key: Sold, body: object, headers: Headers) => extendFree(key, "days" in body ? 24 : 48, headers),
    ]) {
      const headers = { "idempotency-key": "once" };
      const response = await send(first, { days: 30 }, headers);
      expect((await send(first, { days: 30 }, headers)).text).toBe(response.text);
      for (const reused of [await send(second, { days: 30 }, headers), await send(first, { durationId: 1 }, headers)]) {
        expect([reused.status, reused.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
      }
    }
    expect(await shop.credits(reseller)).toBe(91);
    expect((await shop.detail(first)).expiryDate).toBe(inDays(61));
    expect((await shop.detail(second)).expiryDate).toBe(inDays(30));
  });

  test("never takes a price from the client", async () => {
    const [key] = await shop.buy(reseller);
    const forged = { days: 30, price: 0, credits: 0, hours: 8_760 };
    expect((await extend(key, forged)).body).toMatchObject({ cost: 3, key: { expiryDate: inDays(60) } });
  });
});

test("a reseller's ACTIVE keys of the next three days are counted, up to five, until they are extended", async () => {
  const soon = () => shop.panel.server.keys.expiringSoon(reseller.id);
  const [first, ...others] = (await shop.buy(reseller, { days: 5, count: 6 })) as [Sold, ...Sold[]];
  await shop.buy(reseller, { days: 5, starts: "first_use" });
  expect(await soon()).toBe(0);
  await pass(days(2) + 1);
  expect(await soon()).toBe(5);
  for (const key of [first, others[0] as Sold]) await extend(key, { days: 5 });
  expect(await soon()).toBe(4);
  await pass(days(3));
  expect(await soon()).toBe(0);
});

describe("extending selected keys", () => {
  const preview = (form: object = {}) => reseller.post("/api/reseller/keys/selected", form);
  const extendAll = (form: object, headers?: Headers) =>
    reseller.post("/api/reseller/keys/selected/extend", form, headers);

  test("is previewed with its cost, skips revoked and unsold keys, and pays for each key by itself", async () => {
    const [single, revoked] = (await shop.buy(reseller, { count: 2, deviceLimit: 1 })) as [Sold, Sold];
    const [expired] = await shop.buy(reseller, { days: 5, deviceLimit: 2 });
    const [unsold] = await shop.buy(reseller, { deviceLimit: 100 });
    await pass(days(6));
    await reseller.post(`/api/reseller/keys/${revoked.id}/revoke`);
    await shop.sellOnly(reseller, [
      [4, 1, 3],
      [4, 2, 4.5],
    ]);
    expect("toExtend" in (await preview()).body).toBe(false);
    const { body: shown } = await preview({ days: 30 });
    const expiry = { first: inDays(-1), last: inDays(24), newFirst: inDays(30), newLast: inDays(54) };
    expect(shown).toMatchObject({ selected: 4, toExtend: 2, cost: 7.5, expiry });
    expect((await preview({ durationId: 4 })).body).toMatchObject({ toExtend: 2, cost: 7.5 });
    expect((await preview({ days: 7 })).body.code).toBe("INVALID_DAY_TIER");
    const credits = await shop.credits(reseller);
    const form = { mark: shown.mark, count: shown.toExtend, days: 30 };
    const headers = { "idempotency-key": "all" };
    const response = await extendAll(form, headers);
    expect([response.status, response.body]).toEqual([
      200,
      { message: "Keys extended successfully", extendedCount: 2, cost: 7.5, credits: credits - 7.5 },
    ]);
    expect((await extendAll({ ...form, durationId: 4 }, headers)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await shop.ledger(reseller)).slice(0, 2)).toMatchObject([
      { reason: "key_extension", amount: -4.5, balance: credits - 7.5, keyId: expired.id, orderId: expired.orderId },
      { reason: "key_extension", amount: -3, balance: credits - 3, keyId: single.id, orderId: single.orderId },
    ]);
    expect((await shop.detail(expired)).expiryDate).toBe(inDays(30));
    expect((await shop.detail(single)).expiryDate).toBe(inDays(54));
    expect((await shop.detail(unsold)).expiryDate).toBe(inDays(24));
    expect((await shop.detail(revoked)).status).toBe("REVOKED");
    expect(await shop.lastAudit()).toMatchObject({
      ...{ action: "keys_extended", target: `keys of ${reseller.username}` },
      details: { count: 2, hours: 720, cost: 7.5 },
    });
    await admin.call("PUT", "/api/admin/durations/4", { isRetired: true });
    expect((await extendAll(form, headers)).body).toEqual(response.body);
    expect((await extendAll(form)).body.code).toBe("INVALID_DAY_TIER");
    await admin.call("PUT", "/api/admin/durations/4", { isRetired: false });
    await shop.expectSound();
  });

  test("is free for an admin, for keys of a reseller or of the admins", async () => {
    const [key] = await shop.buy(reseller);
    const credits = await shop.credits(reseller);
    const form = { resellerId: reseller.id, hours: 24 };
    const { body: shown } = await admin.post("/api/admin/keys/selected", form);
    expect(shown).toMatchObject({ selected: 1, toExtend: 1, cost: 0 });
    const whole = { ...form, mark: shown.mark, count: 1 };
    expect((await admin.post("/api/admin/keys/selected/extend", whole)).body).toEqual({
      cost: 0,
      ...{ message: "Keys extended successfully", extendedCount: 1 },
    });
    expect((await shop.detail(key)).expiryDate).toBe(inDays(31));
    expect(await shop.credits(reseller)).toBe(credits);
    expect(await shop.lastAudit()).toMatchObject({
      details: { count: 1, hours: 24, cost: 0, resellerId: reseller.id },
    });
    expect((await admin.post("/api/admin/keys/selected/extend", { ...whole, resellerId: 999 })).status).toBe(404);
    expect(
      (await admin.post("/api/admin/keys/selected/extend", { mark: shown.mark, count: 1, hours: 24 })).status,
    ).toBe(409);
  });

  test("with another count than shown extends nothing", async () => {
    const [first] = await shop.buy(reseller, { count: 2 });
    const { mark } = (await preview({ days: 30 })).body;
    await reseller.post(`/api/reseller/keys/${first.id}/revoke`);
    expect((await extendAll({ mark, count: 2, days: 30 })).body).toEqual({
      code: "COUNT_CHANGED",
      message: "1 key in this selection can be extended, so nothing was extended. Please check again.",
    });
    expect(await shop.credits(reseller)).toBe(94);
    expect((await extendAll({ count: 1, days: 30 })).body.message).toBe("mark is required");
    expect((await extendAll({ mark, count: 1 })).body.message).toBe("Day selection is required");
  });

  test("does not extend keys that were made after the preview", async () => {
    const [first] = await shop.buy(reseller);
    const { mark } = (await preview({ days: 30 })).body;
    const [later] = await shop.buy(reseller);
    expect((await extendAll({ mark, count: 1, days: 30 })).body.extendedCount).toBe(1);
    expect((await shop.detail(first)).expiryDate).toBe(inDays(60));
    expect((await shop.detail(later)).expiryDate).toBe(inDays(30));
  });

  test("pays for all keys or for none", async () => {
    const poor = await shop.newReseller(7);
    const keys = await shop.buy(poor, { count: 2 });
    const { mark } = (await poor.post("/api/reseller/keys/selected", {})).body;
    const form = { mark, count: 2, days: 30 };
    expect((await poor.post("/api/reseller/keys/selected/extend", form)).body).toEqual({
      code: "CREDITS_SHORT",
      message: "You need 5.0 more credits to extend 2 key(s).",
    });
    for (const key of keys) expect((await shop.detail(key)).expiryDate).toBe(inDays(30));
    expect(await shop.credits(poor)).toBe(1);
  });

  test("never extends beyond 100 years, and then extends none", async () => {
    const [first, second] = (await shop.buy(reseller, { count: 2 })) as [Sold, Sold];
    await shop.setExpiry(first, shop.clock.now + days(36_500));
    const { mark } = (await preview({ days: 60 })).body;
    expect((await extendAll({ mark, count: 2, days: 60 })).body.code).toBe("EXPIRY_TOO_FAR");
    expect((await shop.detail(second)).expiryDate).toBe(inDays(30));
    expect(await shop.credits(reseller)).toBe(94);
  });

  test("while the clock is ahead is a 503", async () => {
    await shop.buy(reseller);
    const { mark } = (await preview({ days: 30 })).body;
    shop.clock.isAhead = true;
    expect((await extendAll({ mark, count: 1, days: 30 })).body.code).toBe("CLOCK_AHEAD");
  });

  test(`extends ${extendedKeysMax} keys in one transaction, and no more`, async () => {
    const rich = await shop.newReseller(20_000);
    for (let batch = 0; batch < 20; batch += 1) await shop.buy(rich, { count: 100, days: 5 });
    const { mark, toExtend } = (await rich.post("/api/reseller/keys/selected", { days: 5 })).body;
    expect(toExtend).toBe(extendedKeysMax);
    const call = (form: object) => rich.post("/api/reseller/keys/selected/extend", { mark, days: 5, ...form });
    expect((await call({ count: extendedKeysMax + 1 })).body.message).toBe("At most 2000 keys can be extended at once");
    expect((await call({ count: toExtend })).body).toMatchObject({
      extendedCount: 2_000,
      cost: 1_000,
      credits: 18_000,
    });
    await shop.expectSound();
    await shop.buy(rich);
    const more = (await rich.post("/api/reseller/keys/selected", { days: 5 })).body;
    const refused = await call({ mark: more.mark, count: extendedKeysMax });
    expect([more.toExtend, refused.body.code]).toEqual([2_001, "COUNT_CHANGED"]);
  });
});

test("extensions count as spent on their day and for their game, for the reseller and for all", async () => {
  const [key] = await shop.buy(reseller);
  await pass(days(40) + msPerHour);
  await extend(key, { days: 60 });
  const figuresOf = async (path: string, client: Client) => (await client.get(path)).body.at(-1);
  for (const figure of [
    await figuresOf("/api/reseller/figures", reseller),
    await figuresOf("/api/admin/figures", admin),
  ]) {
    expect([figure.credits["FREE FIRE"], figure.keys["FREE FIRE"]]).toEqual([6, 0]);
  }
  expect((await reseller.get(`/api/reseller/orders/${key.orderId}`)).body.cost).toBe(3);
  await shop.expectSound();
});
