import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../../tests/client.ts";
import { days, openShop, type Shop, type Sold } from "../../../tests/shop.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  shop = await openShop();
});
/** One more credit for two devices, and a surcharge for any number that depends on the duration. */
beforeEach(async () => {
  shop.clock.isAhead = false;
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(100);
  await shop.sellOnly(reseller, [
    ...([1, 3, 4].flatMap((durationId) => [
      [durationId, 1, durationId],
      [durationId, 2, durationId + 1],
    ]) as [number, number, number][]),
    [1, 100, 2.5],
    [3, 100, 8],
    [4, 100, 20],
    [5, 1, 6],
  ]);
});
afterAll(() => shop.close());

const limit = ({ id }: Sold, deviceLimit: number) =>
  reseller.call("PUT", `/api/reseller/keys/${id}/device-limit`, { deviceLimit });
const limitFree = ({ id }: Sold, deviceLimit: number) =>
  admin.call("PUT", `/api/admin/keys/${id}/device-limit`, { deviceLimit });
const buy = async (over: object = {}) => (await shop.buy(reseller, { deviceLimit: 1, ...over }))[0];

describe("changing a device limit", () => {
  test("upwards costs a reseller the difference of the prices, and returns the key, the cost and the credits", async () => {
    const key = await buy();
    const { status, body } = await limit(key, 2);
    expect([status, body]).toMatchObject([
      200,
      { message: "Device limit changed successfully", cost: 1, credits: 95, key: { id: key.id, deviceLimit: 2 } },
    ]);
    expect((await shop.ledger(reseller))[0]).toMatchObject({
      ...{ reason: "device_limit_change", amount: -1, balance: 95, orderId: key.orderId, keyId: key.id },
    });
    expect((await shop.timeline(key))[0]).toMatchObject({ kind: "limit_changed", by: reseller.username, count: 2 });
    expect(await shop.lastAudit()).toMatchObject({
      ...{ action: "device_limit_changed", details: { from: 1, to: 2, cost: 1 } },
    });
    for (const device of ["phone", "tablet"]) expect((await shop.connect(key, device)).body.code).toBe("VALID");
    expect((await shop.connect(key, "console")).body.code).toBe("DEVICE_LIMIT_REACHED");
    await shop.expectSound();
  });

  test("is free for an admin, who has more options", async () => {
    const key = await buy();
    const credits = await shop.credits(reseller);
    const { status, body } = await limitFree(key, 5);
    expect([status, Object.keys(body).sort(), body.key.deviceLimit]).toEqual([200, ["cost", "key", "message"], 5]);
    expect(await shop.credits(reseller)).toBe(credits);
    expect(await shop.lastAudit()).toMatchObject({ details: { from: 1, to: 5, cost: 0, owner: reseller.username } });
    expect((await limit(key, 5)).status).toBe(422);
    expect((await limitFree(key, 3)).status).toBe(422);
  });

  test("downwards is free, gives nothing back and needs nothing on sale", async () => {
    const key = await buy({ deviceLimit: 100 });
    const credits = await shop.credits(reseller);
    await shop.sellOnly(reseller, []);
    shop.clock.isAhead = true;
    expect((await limit(key, 1)).body).toMatchObject({ cost: 0, credits, key: { deviceLimit: 1 } });
    expect(await shop.lastAudit()).toMatchObject({ details: { from: 100, to: 1, cost: 0 } });
  });

  test("to the same limit changes nothing", async () => {
    const key = await buy();
    const before = await shop.timeline(key);
    expect((await limit(key, 1)).body).toMatchObject({ cost: 0, key: { deviceLimit: 1 } });
    expect((await limitFree(key, 1)).status).toBe(200);
    expect(await shop.timeline(key)).toEqual(before);
  });

  test("below the number of connected devices is a 409 for both roles", async () => {
    const key = await buy({ deviceLimit: 2 });
    for (const device of ["phone", "tablet"]) await shop.connect(key, device);
    for (const response of [await limit(key, 1), await limitFree(key, 1)]) {
      expect([response.status, response.body]).toEqual([
        409,
        { code: "DEVICES_CONNECTED", message: "2 devices are connected. Remove devices first." },
      ]);
    }
  });

  test("of a REVOKED key is a 409, and of another's key a 404", async () => {
    const key = await buy();
    await reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    for (const response of [await limit(key, 2), await limitFree(key, 2)]) {
      expect([response.status, response.body.code]).toEqual([409, "KEY_ALREADY_REVOKED"]);
    }
    const [other] = await shop.buy(await shop.newReseller());
    expect((await limit(other, 100)).status).toBe(404);
  });

  test.each<[string, number, number]>([
    ["5 days: the shortest that covers it", 120, 1.5],
    ["a moment more than 5 days: the next longer one", 120 + 1 / 3_600, 5],
    ["20 days", 480, 5],
    ["30 days", 720, 16],
    ["more than any duration on sale: the longest", 2_000, 16],
  ])("is priced by the time that is left: %s", async (_what, hoursLeft, cost) => {
    const key = await buy();
    await shop.setExpiry(key, shop.clock.now + hoursLeft * 3_600_000);
    expect((await limit(key, 100)).body).toMatchObject({ cost });
  });

  test("of an EXPIRED key is priced by the shortest duration", async () => {
    const key = await buy({ days: 5 });
    await shop.setExpiry(key, shop.clock.now + 1);
    shop.clock.now += 1;
    expect((await limit(key, 100)).body).toMatchObject({ cost: 1.5, key: { status: "EXPIRED" } });
  });

  test("of a paused key counts the time from its pause, and of one that has not started its duration", async () => {
    const paused = await buy();
    await shop.setExpiry(paused, shop.clock.now + days(21));
    shop.clock.now += days(1) / 2;
    await shop.pause(paused);
    const waiting = await buy({ starts: "first_use" });
    await shop.setDuration(waiting, 480);
    expect((await limit(waiting, 100)).body).toMatchObject({ cost: 5, key: { expiryDate: null } });
    shop.clock.now += days(1) / 2;
    // 20 days are left from now, but 20.5 from the pause.
    expect((await limit(paused, 100)).body).toMatchObject({ cost: 16, key: { status: "PAUSED" } });
  });

  test("counts a current limit that is not a reseller option as the next higher one", async () => {
    const key = await buy({ deviceLimit: 2 });
    await limitFree(key, 5);
    expect((await limit(key, 100)).body).toMatchObject({ cost: 0, key: { deviceLimit: 100 } });
  });

  test("never costs less than nothing", async () => {
    const key = await buy();
    await shop.sellOnly(reseller, [
      [4, 1, 5],
      [4, 2, 3],
    ]);
    expect((await limit(key, 2)).body).toMatchObject({ cost: 0, key: { deviceLimit: 2 } });
  });

  test("upwards is refused if no duration is sold for both limits, or the game or the durations are retired", async () => {
    const key = await buy();
    await shop.sellOnly(reseller, [
      [4, 1, 3],
      [5, 100, 9],
    ]);
    const refused = async () => {
      const { status, body } = await limit(key, 100);
      return [status, body.code];
    };
    expect(await refused()).toEqual([422, "NOT_SOLD"]);
    await shop.sellOnly(reseller, [
      [4, 1, 3],
      [4, 100, 9],
    ]);
    for (const what of ["games/3", "durations/4"]) {
      await admin.call("PUT", `/api/admin/${what}`, { isRetired: true });
      expect(await refused()).toEqual([422, "NOT_SOLD"]);
      expect((await limitFree(key, 2)).status).toBe(200);
      await limitFree(key, 1);
      await admin.call("PUT", `/api/admin/${what}`, { isRetired: false });
    }
    expect((await limit(key, 100)).body).toMatchObject({ cost: 6 });
  });

  test("with too few credits says how many are missing, and changes nothing", async () => {
    const poor = await shop.newReseller(3);
    await shop.sellOnly(poor, [
      [4, 1, 3],
      [4, 2, 3.5],
    ]);
    const [key] = await shop.buy(poor, { deviceLimit: 1 });
    const response = await poor.call("PUT", `/api/reseller/keys/${key.id}/device-limit`, { deviceLimit: 2 });
    expect([response.status, response.body]).toEqual([
      402,
      { code: "CREDITS_SHORT", message: "You need 0.5 more credits to raise the device limit." },
    ]);
    expect((await shop.detail(key)).deviceLimit).toBe(1);
  });

  test("while the clock is ahead is a 503 only where it costs credits", async () => {
    const key = await buy();
    shop.clock.isAhead = true;
    const response = await limit(key, 2);
    expect([response.status, response.body.code]).toEqual([503, "CLOCK_AHEAD"]);
    expect((await limitFree(key, 5)).status).toBe(200);
    expect((await limit(key, 100)).body).toMatchObject({ cost: 0 });
    expect((await limit(key, 1)).status).toBe(200);
  });
});
