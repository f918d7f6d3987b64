import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../tests/client.ts";
import { parallel } from "../../tests/parallel.ts";
import { openShop, type Shop } from "../../tests/shop.ts";
import { createLink, passwordOf, sell, type TestLink } from "../../tests/shop-link.ts";
import { msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";

let shop: Shop;
let reseller: ResellerClient;
let link: TestLink;
let stranger: Client;
let serial = 0;
const nextSale = () => `sale.${++serial}`;

beforeAll(async () => {
  shop = await openShop();
  stranger = shop.panel.newClient();
  reseller = await shop.newReseller();
  link = await createLink(reseller, "reseller");
});
afterAll(async () => {
  await shop.expectSound();
  await shop.close();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];
const salesOf = async ({ id }: TestLink, owner: Client = reseller, role = "reseller") =>
  (await owner.get(`/api/${role}/shop-links/${id}/sales`)).body;
const change = (what: object, { id }: TestLink = link, owner: Client = reseller, role = "reseller") =>
  owner.call("PUT", `/api/${role}/shop-links/${id}`, what);
const ordersOf = async (owner: Client, role = "reseller") => (await owner.get(`/api/${role}/orders`)).body;

describe("a sale", () => {
  test("returns the keys as a text, and is an order of the link's account", async () => {
    const saleId = nextSale();
    const before = await shop.credits(reseller);
    const response = await sell(stranger, link, saleId, 2);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const [order] = await ordersOf(reseller);
    expect(order).toMatchObject({
      ...{ count: 2, cost: 6, days: 30, deviceLimit: 1, externalId: null, by: "shop.1" },
      ...{ shopLink: { id: link.id, name: "Shop" }, saleId: `${saleId}:40127` },
    });
    const { keys } = (await reseller.get(`/api/reseller/orders/${order.id}`)).body;
    const texts = keys.sort((a: { id: number }, b: { id: number }) => a.id - b.id);
    expect(response.text).toBe(texts.map(({ keyString }: { keyString: string }) => keyString).join("\n"));
    expect(await shop.credits(reseller)).toBe(before - 6);
    expect(await shop.lastAudit()).toMatchObject({
      ...{ action: "keys_generated", target: `order ${order.id}`, actor: { username: "shop.1" } },
      details: { count: 2, cost: 6, shopLink: "Shop" },
    });
    const [sale] = await salesOf(link);
    expect(sale).toEqual({
      ...{ id: sale.id, at: new Date(shop.clock.now).toISOString(), saleId: `${saleId}:40127`, quantity: 2 },
      ...{ status: 200, code: null, message: null, orderId: order.id, count: 1 },
    });
    const [listed] = (await reseller.get("/api/reseller/shop-links")).body;
    expect(listed.lastSaleAt).toBe(new Date(shop.clock.now).toISOString());
    expect((await reseller.get(`/api/reseller/orders?search=${saleId.toUpperCase()}`)).body).toEqual([order]);
  });

  test("that is repeated returns the same keys, whatever has changed, and writes nothing", async () => {
    const owner = await shop.newReseller(3);
    const own = await createLink(owner, "reseller", { creditsPerDay: 3 });
    const first = await sell(stranger, own, "same");
    expect([first.status, await shop.credits(owner)]).toEqual([200, 0]);
    const admin = await shop.newAdmin();
    await shop.sellOnly(owner, [[1, 1, 5]]);
    await change({ maxQuantity: 1, quantity: null, name: "Renamed" }, own, owner);
    shop.clock.isAhead = true;
    const written = await admin.get("/api/admin/audit?limit=1");
    for (const response of await parallel(30, () => sell(stranger, own, "same")))
      expect([response.status, response.text]).toEqual([200, first.text]);
    shop.clock.isAhead = false;
    expect((await admin.get("/api/admin/audit?limit=1")).text).toBe(written.text);
    expect(await salesOf(own, owner)).toHaveLength(1);
    expect((await ordersOf(owner))[0].shopLink).toEqual({ id: own.id, name: "Shop" });
  });

  test("that is repeated returns the new text of a replaced key", async () => {
    const saleId = nextSale();
    const texts = (await sell(stranger, link, saleId, 3)).text.split("\n");
    const [{ id: orderId }] = await ordersOf(reseller);
    const { keys } = (await reseller.get(`/api/reseller/orders/${orderId}`)).body;
    const { id } = keys.find(({ keyString }: { keyString: string }) => keyString === texts[1]);
    for (const keyString of [undefined, `RENEWED-${id}`]) {
      const replaced = await reseller.post(`/api/reseller/keys/${id}/replace`, { keyString });
      texts[1] = replaced.body.key.keyString;
      const { status, text } = await sell(stranger, link, saleId, 3);
      expect([status, text]).toEqual([200, texts.join("\n")]);
    }
    expect(texts[1]).toBe(`RENEWED-${id}`);
    expect((await ordersOf(reseller))[0].id).toBe(orderId);
  });

  test("of 100 calls at once is one order", async () => {
    const before = await shop.credits(reseller);
    const saleId = nextSale();
    const responses = await parallel(100, () => sell(stranger, link, saleId, 3));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, responses[0]?.text.split("\n").length]).toEqual([200, 3]);
    expect(await shop.credits(reseller)).toBe(before - 9);
  });

  test("with another quantity is refused once it was delivered", async () => {
    const saleId = nextSale();
    await sell(stranger, link, saleId, 2);
    expect(codeOf(await sell(stranger, link, saleId, 1))).toEqual([409, "SALE_CHANGED"]);
    expect(codeOf(await sell(stranger, link, saleId, 100))).toEqual([409, "SALE_CHANGED"]);
    expect((await sell(stranger, link, saleId, "002")).status).toBe(200);
  });

  test("is named for each link, and with its case", async () => {
    const other = await createLink(reseller, "reseller", { name: "Other" });
    const texts = [
      await sell(stranger, link, "Case"),
      await sell(stranger, link, "case"),
      await sell(stranger, other, "case"),
    ];
    expect(new Set(texts.map(({ text }) => text)).size).toBe(3);
  });

  test("of an admin makes admin keys that last the duration", async () => {
    const admin = await shop.newAdmin();
    const own = await createLink(admin, "admin", { deviceLimit: 10, starts: "first_use", name: "Ours" });
    const { text } = await sell(stranger, own, "first");
    const [order] = await ordersOf(admin, "admin");
    expect(order).toMatchObject({
      cost: 0,
      durationHours: 720,
      deviceLimit: 10,
      starts: "first_use",
      saleId: "first:40127",
    });
    const { keys } = (await admin.get(`/api/admin/orders/${order.id}`)).body;
    expect(keys).toMatchObject([{ keyString: text, deviceLimit: 10, durationHours: 720 }]);
    expect(codeOf(await change({ creditsPerDay: 5 }, own, admin, "admin"))).toEqual([422, "INVALID"]);
    await change({ starts: "creation" }, own, admin, "admin");
    await sell(stranger, own, "second");
    expect((await ordersOf(admin, "admin"))[0]).toMatchObject({ days: 30, starts: "creation" });
  });
});

describe("a sale is refused", () => {
  test("for what an order is refused with, and its id stays free", async () => {
    const owner = await shop.newReseller(0);
    const own = await createLink(owner, "reseller", { creditsPerDay: 6 });
    expect(codeOf(await sell(stranger, own, "short"))).toEqual([402, "CREDITS_SHORT"]);
    await (await shop.newAdmin()).post("/api/admin/resellers/credits", { resellerId: owner.id, amount: 100 });
    expect((await sell(stranger, own, "short")).status).toBe(200);
    const spent = await sell(stranger, own, "spent", 2);
    expect(codeOf(spent)).toEqual([429, "CREDITS_PER_DAY_SPENT"]);
    expect(spent.headers.get("retry-after")).toBe(String((9 * 60 + 30) * 60));
    expect((await sell(stranger, own, "exactly")).status).toBe(200);
    await change({ creditsPerDay: null }, own, owner);
    expect((await sell(stranger, own, "spent", 2)).status).toBe(200);
    shop.clock.isAhead = true;
    expect(codeOf(await sell(stranger, own, "ahead"))).toEqual([503, "CLOCK_AHEAD"]);
    shop.clock.isAhead = false;
    await shop.sellOnly(owner, [[1, 1, 5]]);
    expect(codeOf(await sell(stranger, own, "unsold"))).toEqual([422, "NOT_SOLD"]);
    expect(codeOf(await sell(stranger, own, "many", 11))).toEqual([422, "INVALID"]);
    const codes = (await salesOf(own, owner)).map(({ status, code, saleId, quantity }: Record<string, unknown>) => [
      ...[status, code, saleId, quantity],
    ]);
    expect(codes.filter(([status]: number[]) => status !== 200)).toEqual([
      [422, "INVALID", "many:40127", 11],
      [422, "NOT_SOLD", "unsold:40127", 1],
      [503, "CLOCK_AHEAD", "ahead:40127", 1],
      [429, "CREDITS_PER_DAY_SPENT", "spent:40127", 2],
      [402, "CREDITS_SHORT", "short:40127", 1],
    ]);
  });

  test("once its link is off, deleted or suspended, in one wording", async () => {
    const owner = await shop.newReseller();
    const own = await createLink(owner, "reseller");
    await sell(stranger, own, "before");
    const unknown = await sell(stranger, { ...own, path: "/api/shop/unknown" }, "before");
    const admin = await shop.newAdmin();
    const refused = async () => {
      const response = await sell(stranger, own, "before");
      expect([response.status, response.body]).toEqual([404, unknown.body]);
    };
    await change({ isActive: false }, own, owner);
    await refused();
    await change({ isActive: true }, own, owner);
    expect((await sell(stranger, own, "before")).status).toBe(200);
    const status = (isActive: boolean) => admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive });
    await status(false);
    await refused();
    await status(true);
    expect((await sell(stranger, own, "before")).status).toBe(200);
    await admin.post(`/api/admin/resellers/${owner.id}/password`);
    await refused();
  });

  test("with a secret that was replaced", async () => {
    const owner = await shop.newReseller();
    const own = await createLink(owner, "reseller");
    const path = `/api/reseller/shop-links/${own.id}/secret`;
    const { body } = await owner.post(path, { password: passwordOf.reseller, secret: "a-secret-of-the-shop" });
    expect(body).toEqual({ secret: "a-secret-of-the-shop" });
    expect(codeOf(await sell(stranger, own, "first"))).toEqual([401, "SIGNATURE_WRONG"]);
    expect((await sell(stranger, { ...own, ...body }, "first")).status).toBe(200);
  });

  test.each(["off", "deleted", "new secret", "suspended"])("where the link was %s while it ran", async (what) => {
    const owner = await shop.newReseller();
    const own = await createLink(owner, "reseller");
    const path = `/api/reseller/shop-links/${own.id}`;
    const ends = {
      off: () => owner.call("PUT", path, { isActive: false }),
      deleted: () => owner.call("DELETE", path),
      "new secret": () => owner.post(`${path}/secret`, { password: passwordOf.reseller }),
      suspended: async () =>
        (await shop.newAdmin()).post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive: false }),
    }[what] as () => Promise<{ status: number }>;
    const running = parallel(60, async (index) => {
      const { status } = await sell(stranger, own, `sale.${index}`);
      return { status };
    });
    const more = (async () => {
      expect((await ends()).status).toBe(200);
      const [orders] = await shop.database.read<{ count: number }>`
        SELECT count(*) AS count FROM orders WHERE shop_link_id = ${own.id}`;
      return orders?.count;
    })();
    const results = await running;
    const acknowledged = await more;
    const [after] = await shop.database.read<{ count: number }>`
      SELECT count(*) AS count FROM orders WHERE shop_link_id = ${own.id}`;
    expect(after?.count).toBe(acknowledged as number);
    expect(results.filter(({ status }) => status === 200)).toHaveLength(acknowledged as number);
    expect(results.every(({ status }) => [200, 401, 404].includes(status))).toBe(true);
  });
});

describe("the list of sales", () => {
  test("counts equal refusals of a minute, and wrong signatures", async () => {
    const own = await createLink(reseller, "reseller", { name: "Counted" });
    await parallel(5, () => sell(stranger, { ...own, secret: "a-wrong-secret-of-it" }, nextSale()));
    await parallel(3, () => sell(stranger, own, "none", "x"));
    await salesOf(own);
    await sell(stranger, own, "none", "x");
    shop.clock.now += msPerMinute;
    await sell(stranger, own, "none", "x");
    const rows = await salesOf(own);
    const none = { saleId: "none:40127", quantity: null, status: 422, code: "INVALID", orderId: null };
    expect(rows).toMatchObject([
      { ...none, count: 1 },
      { ...none, message: "The body has no quantity of at least 1 at item.quantity.", count: 4 },
      { saleId: null, quantity: null, status: 401, code: "SIGNATURE_WRONG", count: 5 },
    ]);
  });

  test("has at most 1,000 refusals of a link and day, and pages", async () => {
    const own = await createLink(reseller, "reseller", { name: "Failing" });
    await parallel(1_010, (index) => sell(stranger, own, `failing.${index}`, 99));
    const path = `/api/reseller/shop-links/${own.id}/sales`;
    await reseller.get(path);
    const [kept] = await shop.database.read<{ count: number }>`
      SELECT count(*) AS count FROM shop_sales WHERE shop_link_id = ${own.id}`;
    expect(kept?.count).toBe(1_000);
    expect((await sell(stranger, own, "works")).status).toBe(200);
    const first = await reseller.get(`${path}?limit=2`);
    expect(first.body[0]).toMatchObject({ status: 200, saleId: "works:40127" });
    const next = first.headers.get("link")?.match(/<(.+)>/)?.[1] as string;
    expect((await reseller.get(next)).body[0].id).toBeLessThan(first.body[1].id);
    shop.clock.now += msPerDay;
    await sell(stranger, own, "tomorrow", 99);
    expect((await salesOf(own))[0]).toMatchObject({ saleId: "tomorrow:40127" });
  });

  test("keeps 30 days", async () => {
    const own = await createLink(reseller, "reseller", { name: "Old" });
    await sell(stranger, own, "old", 99);
    await salesOf(own);
    shop.clock.now += 31 * msPerDay;
    await sell(stranger, own, "new");
    await shop.panel.server.saleRetention.eraseOld();
    const kept = await shop.database.read<{ saleId: string }>`
      SELECT sale_id AS "saleId" FROM shop_sales WHERE shop_link_id = ${own.id}`;
    expect(kept).toEqual([{ saleId: "new:40127" }]);
    reseller = await shop.newReseller();
    link = await createLink(reseller, "reseller");
  });

  test("belongs to the link's account", async () => {
    const other = await shop.newReseller();
    for (const path of ["", "/sales"].map((end) => `/api/reseller/shop-links/${link.id}${end}`))
      expect((await other.call(path.endsWith("sales") ? "GET" : "DELETE", path)).status).toBe(404);
    expect((await other.get("/api/reseller/shop-links")).body).toEqual([]);
  });
});

test("webhooks are told of a failed sale once for each link, code and hour, if its signature fits", async () => {
  const owner = await shop.newReseller(0);
  const own = await createLink(owner, "reseller");
  await owner.post("/api/reseller/webhooks", { kind: "standard", url: "https://example.com", events: ["sale.failed"] });
  const events = async () => {
    await shop.panel.server.sales.write();
    return shop.database.read<{
      data: string;
    }>`SELECT data FROM webhook_deliveries WHERE type = 'sale.failed' ORDER BY id`;
  };
  await sell(stranger, { ...own, secret: "a-wrong-secret-of-it" }, "unsigned");
  await sell(stranger, own, "short");
  await sell(stranger, own, "short again");
  await sell(stranger, own, "another", 2);
  await sell(stranger, own, "many", 99);
  const data = (await events()).map(({ data: json }) => JSON.parse(json));
  const seller = { resellerId: owner.id, username: owner.username };
  expect(data).toEqual([
    { ...seller, code: "CREDITS_SHORT", saleId: "short:40127" },
    { ...seller, code: "INVALID", saleId: null },
  ]);
  shop.clock.now += msPerHour;
  await sell(stranger, own, "later");
  expect(await events()).toHaveLength(3);
});

test("600 sales a minute make keys, and refused ones do not count", async () => {
  const limited = await openShop({ rateLimits: true });
  const owner = await limited.newReseller(2_000);
  const own = await createLink(owner, "reseller");
  const client = limited.panel.newClient();
  for (let count = 0; count < 20; count += 1) expect((await sell(client, own, "unread", "x")).status).toBe(422);
  const statuses: Record<number, number> = {};
  for (let count = 0; count < 620; count += 1) {
    limited.clock.now += 10;
    const { status } = await sell(client, own, `one.${count}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  // The link itself was a change.
  expect(statuses).toEqual({ 200: 599, 429: 21 });
  expect((await sell(client, own, "one.0")).status).toBe(200);
  expect((await owner.call("PUT", `/api/reseller/shop-links/${own.id}`, { isActive: false })).status).toBe(200);
  expect((await owner.call("DELETE", `/api/reseller/shop-links/${own.id}`)).status).toBe(200);
  await limited.close();
});

test("20 wrong signatures of an address are refused as wrong, and past that a right one is not refused", async () => {
  const limited = await openShop({ rateLimits: true });
  const owner = await limited.newReseller();
  const own = await createLink(owner, "reseller");
  const client = limited.panel.newClient();
  const wrong = () => sell(client, { ...own, secret: "a-wrong-secret-of-it" }, "wrong");
  for (let count = 0; count < 20; count += 1) expect(codeOf(await wrong())).toEqual([401, "SIGNATURE_WRONG"]);
  expect(codeOf(await wrong())).toEqual([429, "TOO_MANY_TRIES"]);
  expect((await sell(client, own, "right")).status).toBe(200);
  const { body } = await owner.get(`/api/reseller/shop-links/${own.id}/sales`);
  expect(body.find(({ code }: { code: string | null }) => code)).toMatchObject({
    code: "SIGNATURE_WRONG",
    status: 401,
    count: 21,
  });
  limited.clock.now += 10 * msPerMinute;
  expect(codeOf(await wrong())).toEqual([401, "SIGNATURE_WRONG"]);
  await limited.close();
});
