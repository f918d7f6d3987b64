import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../../tests/client.ts";
import { testServer } from "../../../tests/database.ts";
import { days, openShop, type Shop, type Sold } from "../../../tests/shop.ts";
import { isoOf } from "../../core/clock.ts";

let shop: Shop;
let withoutRefunds: Shop;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  shop = await openShop({ refundDays: 7 });
  withoutRefunds = await openShop();
});
beforeEach(async () => {
  shop.clock.isAhead = false;
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(100);
});
afterAll(async () => {
  await shop.close();
  await withoutRefunds.close();
});

const revoke = ({ id }: Sold) => reseller.post(`/api/reseller/keys/${id}/revoke`);
const revokeAny = ({ id }: Sold) => admin.call("DELETE", `/api/admin/keys/${id}`);
const own = async ({ id }: Sold) => (await reseller.get(`/api/reseller/keys/${id}`)).body;
const selected = "/api/reseller/keys/selected";
async function pass(ms: number) {
  shop.clock.now += ms;
  admin = await shop.newAdmin();
}

describe("revoking a key that never connected a device", () => {
  test("gives back what it cost, and says so before and after", async () => {
    const [key] = await shop.buy(reseller, { count: 3 });
    for (const detail of [await own(key), await shop.detail(key)])
      expect(detail).toMatchObject({ refund: 3, noRefund: null, refundDays: 7 });
    const { body } = await revoke(key);
    expect(body).toMatchObject({ key: { status: "REVOKED" }, refund: 3 });
    expect(await shop.credits(reseller)).toBe(94);
    expect((await shop.ledger(reseller))[0]).toMatchObject({
      ...{ reason: "key_refund", amount: 3, balance: 94, orderId: key.orderId, keyId: key.id, by: reseller.username },
    });
    expect(await shop.lastAudit()).toMatchObject({ action: "key_revoked", details: { refund: 3 } });
    expect(await own(key)).toMatchObject({ refund: 0, noRefund: "NOT_ACTIVE" });
    await shop.expectSound();
  });

  // On PostgreSQL, which does not carry out one transaction after the other, no call waits here.
  if (!testServer) {
    test("is dated when it is its turn, so that its refund follows what was paid", async () => {
      const [key] = await shop.buy(reseller);
      const turn = Promise.withResolvers<void>();
      const holding = shop.database.transaction(null, () => turn.promise);
      const revoking = revoke(key);
      // By then the revocation waits, too.
      await own(key);
      shop.clock.now += 1_000;
      turn.resolve();
      await Promise.all([holding, revoking]);
      expect((await shop.ledger(reseller))[0].at).toBe(isoOf(shop.clock.now));
    });
  }

  test("gives back extensions and device limits too, also when an admin revokes it", async () => {
    const [key] = await shop.buy(reseller, { deviceLimit: 1 });
    await reseller.post(`/api/reseller/keys/${key.id}/extend`, { days: 60 });
    await shop.sellOnly(reseller, [
      [5, 1, 1],
      [5, 2, 1.5],
    ]);
    await reseller.call("PUT", `/api/reseller/keys/${key.id}/device-limit`, { deviceLimit: 2 });
    expect(await shop.credits(reseller)).toBe(90.5);
    expect((await revokeAny(key)).body.refund).toBe(9.5);
    expect(await shop.credits(reseller)).toBe(100);
    expect((await shop.ledger(reseller))[0]).toMatchObject({ reason: "key_refund", by: "admin" });
    await shop.expectSound();
  });

  test("works for a paused key, and for one that has not started", async () => {
    const [paused] = await shop.buy(reseller, { days: 5 });
    const [waiting] = await shop.buy(reseller, { starts: "first_use" });
    await shop.pause(paused);
    await pass(days(6));
    expect((await revokeAny(paused)).body.refund).toBe(0.5);
    expect((await revokeAny(waiting)).body.refund).toBe(3);
  });

  test("gives nothing back after REFUND_DAYS, even if it was extended since", async () => {
    const [[last], [late]] = [await shop.buy(reseller), await shop.buy(reseller)];
    await pass(days(7));
    expect((await revokeAny(last)).body.refund).toBe(3);
    await admin.post(`/api/admin/keys/${late.id}/extend`, { hours: 24 });
    await pass(1);
    expect(await shop.detail(late)).toMatchObject({ refund: 0, noRefund: "TOO_OLD" });
    await shop.connect(late);
    expect((await shop.detail(late)).noRefund).toBe("TOO_OLD");
    expect((await revokeAny(late)).body.refund).toBe(0);
  });

  test("gives nothing back for an EXPIRED key", async () => {
    const [key] = await shop.buy(reseller, { days: 5 });
    await pass(days(5));
    expect(await shop.detail(key)).toMatchObject({ refund: 0, noRefund: "NOT_ACTIVE" });
    expect((await revokeAny(key)).body.refund).toBe(0);
  });

  test("gives nothing back for an admin key", async () => {
    const order = { game: "FREE FIRE", deviceLimit: 5, starts: "first_use", durationHours: 24, count: 1 };
    const [key] = (await admin.post("/api/admin/keys/generate", order)).body.keys;
    expect(await shop.detail(key)).toMatchObject({ refund: 0, noRefund: "FREE" });
    expect((await revokeAny(key)).body.refund).toBe(0);
  });

  test("gives nothing back, and leaves no entry, for a key that was free", async () => {
    await shop.sellOnly(reseller, [[4, 2, 0]]);
    const [key] = await shop.buy(reseller);
    await shop.connect(key);
    expect(await own(key)).toMatchObject({ refund: 0, noRefund: "FREE" });
    expect((await revoke(key)).body.refund).toBe(0);
    expect((await shop.ledger(reseller)).map(({ reason }: { reason: string }) => reason)).toEqual(["token_bonus"]);
  });

  test("gives nothing back while the clock is ahead, and the key says why", async () => {
    const [key] = await shop.buy(reseller);
    shop.clock.isAhead = true;
    for (const detail of [await own(key), await shop.detail(key), (await reseller.post(selected, {})).body]) {
      expect(detail).toMatchObject({ refund: 0, isRefundHeld: true });
    }
    expect((await own(key)).noRefund).toBe("CLOCK_AHEAD");
    expect((await revoke(key)).body).toMatchObject({ refund: 0, key: { status: "REVOKED" } });
    expect(await shop.credits(reseller)).toBe(97);
    expect(await own(key)).toMatchObject({ refund: 0, isRefundHeld: false });
  });

  test("gives nothing back where REFUND_DAYS is 0, the default", async () => {
    const seller = await withoutRefunds.newReseller(10);
    const [key] = await withoutRefunds.buy(seller);
    expect(await withoutRefunds.detail(key)).toMatchObject({ refund: 0, isRefundHeld: false, noRefund: "OFF" });
    expect((await seller.post(`/api/reseller/keys/${key.id}/revoke`)).body.refund).toBe(0);
    expect(await withoutRefunds.credits(seller)).toBe(7);
  });
});

describe("revoking a key that ever connected a device gives nothing back:", () => {
  test.each<[string, (key: Sold) => Promise<unknown>]>([
    ["one that is connected", async () => {}],
    [
      "one that was removed",
      async ({ id }) => {
        const [device] = (await shop.detail({ id })).devices;
        await reseller.post(`/api/reseller/keys/${id}/devices/${device.id}/remove`);
      },
    ],
    ["one that was reset", () => admin.post("/api/admin/keys/reset-devices")],
  ])("%s", async (_what, afterwards) => {
    const [key] = await shop.buy(reseller);
    await shop.connect(key);
    await afterwards(key);
    expect(await own(key)).toMatchObject({ refund: 0, noRefund: "DEVICE_CONNECTED" });
    expect((await revoke(key)).body.refund).toBe(0);
    expect(await shop.credits(reseller)).toBe(97);
  });
});

test("the unused keys of an order are refunded together", async () => {
  const [used, removed, ...unused] = (await shop.buy(reseller, { count: 5 })) as [Sold, Sold, ...Sold[]];
  for (const key of [used, removed]) await shop.connect(key);
  const [device] = (await own(removed)).devices;
  await reseller.post(`/api/reseller/keys/${removed.id}/devices/${device.id}/remove`);
  const { body } = await reseller.post(`/api/reseller/orders/${used.orderId}/revoke-unused`, { count: 4 });
  expect(body).toEqual({ message: "Keys revoked successfully", revokedCount: 4, refund: 9 });
  const refunds = (await shop.ledger(reseller)).slice(0, 3);
  expect(refunds.map(({ keyId, balance }: { keyId: number; balance: number }) => [keyId, balance])).toEqual(
    unused.map(({ id }, place) => [id, 88 + 3 * place]).toReversed(),
  );
  expect(await shop.lastAudit()).toMatchObject({ details: { count: 4, refund: 9 } });
  await shop.expectSound();
});

test("a selection says its refund beforehand and gives it back in batches, and repeating the call returns the same", async () => {
  const keys = await shop.buy(reseller, { count: 30 });
  const [used] = keys;
  await shop.connect(used);
  const { body: shown } = await reseller.post(selected, {});
  expect(shown).toMatchObject({ toRevoke: 30, refund: 87, isRefundHeld: false });
  expect((await admin.post("/api/admin/keys/selected", { resellerId: reseller.id })).body.refund).toBe(87);
  expect((await admin.post("/api/admin/keys/selected", {})).body.refund).toBe(0);
  expect((await reseller.post(selected, { ids: [used.id, keys[1]?.id] })).body.refund).toBe(3);
  shop.clock.now += 1_000;
  const form = { mark: shown.mark, count: 30 };
  const response = await reseller.post(`${selected}/revoke`, form);
  expect(response.body).toMatchObject({ revokedCount: 30, refund: 87 });
  expect((await reseller.post(`${selected}/revoke`, form)).body).toEqual(response.body);
  expect(await shop.credits(reseller)).toBe(97);
  const entries = (await shop.ledger(reseller)) as { reason: string; keyId: number }[];
  expect(new Set(entries.filter(({ reason }) => reason === "key_refund").map(({ keyId }) => keyId)).size).toBe(29);
  await shop.expectSound();
});

test("refunds do not lower the figures of what was spent", async () => {
  const [key] = await shop.buy(reseller);
  const spent = async () => (await reseller.get("/api/reseller/figures")).body.at(-1).credits["FREE FIRE"];
  const before = await spent();
  expect((await revoke(key)).body.refund).toBe(3);
  expect(await spent()).toBe(before);
});

test("a refund that the balance cannot take refuses the revocation", async () => {
  const [key] = await shop.buy(reseller);
  await shop.fillBalance(reseller);
  const response = await revoke(key);
  expect([response.status, response.body.code]).toEqual([409, "BALANCE_TOO_LARGE"]);
  expect((await shop.detail(key)).status).toBe("ACTIVE");
});
