import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../tests/client.ts";
import { openShop, type Shop, type Sold } from "../../tests/shop.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;
let key: Sold;

beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(100);
  await setPrices(3, 4);
  [key] = await shop.buy(reseller, { deviceLimit: 1 });
});
afterAll(() => shop.close());

/** The price of 30 days on one device, and on two. */
const setPrices = (one: number, two: number) =>
  shop.sellOnly(reseller, [
    [4, 1, one],
    [4, 2, two],
  ]);

const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 2 };

async function extendAll(who: Client, role: string, body: object) {
  const { mark } = (await who.post(`/api/${role}/keys/selected`, { ids: [key.id] })).body;
  return who.post(`/api/${role}/keys/selected/extend`, { mark, ids: [key.id], count: 1, ...body });
}

/** Every way of spending, what it costs at first, and after the prices were doubled. */
const spending = {
  "generating keys": {
    before: 6,
    after: 12,
    spend: (more: object) => reseller.post("/api/reseller/keys/generate", { ...order, ...more }),
  },
  "extending a key": {
    ...{ before: 3, after: 6 },
    spend: (more: object) => reseller.post(`/api/reseller/keys/${key.id}/extend`, { days: 30, ...more }),
  },
  "extending a selection": {
    before: 3,
    after: 6,
    spend: (more: object) => extendAll(reseller, "reseller", { days: 30, ...more }),
  },
  "another device limit": {
    ...{ before: 1, after: 2 },
    spend: (more: object) =>
      reseller.call("PUT", `/api/reseller/keys/${key.id}/device-limit`, { deviceLimit: 2, ...more }),
  },
};

describe.each(Object.entries(spending))("%s", (_, { before, after, spend }) => {
  test("for more than the expected cost is refused, and nothing happens", async () => {
    await setPrices(6, 8);
    const [ledger, detail] = [await shop.ledger(reseller), await shop.detail(key)];
    const { status, body } = await spend({ cost: before });
    expect([status, body]).toEqual([
      409,
      {
        code: "COST_CHANGED",
        message: `This would now cost ${after}.0 credits, so nothing was done. Please check again.`,
        cost: after,
      },
    ]);
    expect([await shop.ledger(reseller), await shop.detail(key)]).toEqual([ledger, detail]);
    expect((await spend({ cost: after })).body).toMatchObject({ cost: after, credits: 97 - after });
  });

  test("for less than the expected cost charges the lower price", async () => {
    expect((await spend({ cost: before + 0.1 })).body).toMatchObject({ cost: before, credits: 97 - before });
    expect(await shop.credits(reseller)).toBe(97 - before);
  });

  test.each([[null], [""], [undefined]])("with the cost %p expects none", async (cost) => {
    expect((await spend({ cost })).body).toMatchObject({ cost: before });
  });

  test.each([["3"], [-0.1], [0.25]])("with the cost %p is a 422", async (cost) => {
    const { status, body } = await spend({ cost });
    expect([status, body.errors?.[0]?.path]).toEqual([422, "cost"]);
  });
});

describe("a changed cost", () => {
  test("comes before a taken key and missing credits", async () => {
    await setPrices(600, 800);
    const { body } = await spending["generating keys"].spend({ cost: 6, keyString: key.keyString });
    expect(body).toMatchObject({ code: "COST_CHANGED", cost: 1_200 });
  });

  test("comes after what is not sold", async () => {
    await shop.sellOnly(reseller, []);
    for (const { spend } of Object.values(spending)) {
      expect((await spend({ cost: 0 })).body.code).toMatch(/^(NOT_SOLD|COUNT_CHANGED)$/);
    }
  });

  test("is not part of what a repeated call is compared by", async () => {
    const headers = { "idempotency-key": "again" };
    const first = await reseller.call("POST", "/api/reseller/keys/generate", { ...order, cost: 6 }, headers);
    const named = await reseller.post("/api/reseller/keys/generate", { ...order, externalId: "INV-1", cost: 6 });
    await setPrices(6, 8);
    const again = await reseller.call("POST", "/api/reseller/keys/generate", { ...order, cost: 1 }, headers);
    const namedAgain = await reseller.post("/api/reseller/keys/generate", { ...order, externalId: "INV-1", cost: 2 });
    expect([again.body, namedAgain.body]).toEqual([first.body, named.body]);
    expect(first.body).toMatchObject({ cost: 6 });
  });

  test("is 0 for admins, of whatever they expect", async () => {
    const orderOfAdmin = { ...order, days: undefined, expiryDate: new Date(shop.clock.now + 86_400_000).toISOString() };
    const made = await admin.post("/api/admin/keys/generate", { ...orderOfAdmin, cost: 0 });
    [key] = made.body.keys;
    const responses = [
      made,
      await admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 1, cost: 0 }),
      await extendAll(admin, "admin", { hours: 1, cost: 0 }),
      await admin.call("PUT", `/api/admin/keys/${key.id}/device-limit`, { deviceLimit: 5, cost: 0 }),
    ];
    expect(responses.map(({ body }) => body.cost)).toEqual([0, 0, 0, 0]);
  });
});

describe("the price of a limit", () => {
  const priceOf = (deviceLimit: unknown, id = key.id) =>
    reseller.get(`/api/reseller/keys/${id}/device-limit?deviceLimit=${deviceLimit}`);

  test("is what the change would cost, with the balance", async () => {
    expect((await priceOf(2)).body).toEqual({ cost: 1, credits: 97 });
    expect((await priceOf(1)).body).toEqual({ cost: 0, credits: 97 });
    await setPrices(3, 400);
    expect((await priceOf(2)).body).toEqual({ cost: 397, credits: 97 });
  });

  test("is refused like the change", async () => {
    expect((await priceOf(3)).status).toBe(422);
    const [other] = await shop.buy(await shop.newReseller());
    expect((await priceOf(2, other.id)).status).toBe(404);
    await shop.sellOnly(reseller, [[4, 1, 3]]);
    expect((await priceOf(2)).body.code).toBe("NOT_SOLD");
    await reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    expect((await priceOf(2)).body.code).toBe("KEY_ALREADY_REVOKED");
  });
});
