import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { Client, ResellerClient } from "../../tests/client.ts";
import { sendRaw } from "../../tests/raw-http.ts";
import { openShop, type Shop } from "../../tests/shop.ts";
import { callShop, createLink, passwordOf, sellAuthBody, signatureOf, type TestLink } from "../../tests/shop-link.ts";

let shop: Shop;
let reseller: ResellerClient;
let link: TestLink;
let client: Client;
let url: string;

beforeAll(async () => {
  shop = await openShop({ behindProxy: true });
  url = `http://127.0.0.1:${shop.panel.app.server?.port}`;
  client = shop.panel.newClient();
  reseller = await shop.newReseller(1_000);
  link = await createLink(reseller, "reseller");
});
afterAll(async () => {
  await shop.expectSound();
  await shop.close();
});

/** Fields of a shop's body beside those that a link reads. */
const customer = {
  customer: { id: 9_143, email: "buyer@example.com", name: "José Ñandú", ip: "2001:db8::1", country_code: "ES" },
  billing_address: { line_1: "Calle Mayor 1", city: "Madrid", postal_code: "28013", country: null },
  ...{ created_at: "2026-02-03T10:11:12.000000Z", completed_at: "2026-02-03T10:12:44.531Z", currency: "EUR" },
  ...{ price: "19.99", price_usd: 21.559999999999999, total: 39.98, gateway: "STRIPE", coupon_id: null },
  custom_fields: [
    { name: "Discord", value: "buyer#0001" },
    { name: "Note", value: 'quotes " and \\ and ✓ {[' },
  ],
  events: Array.from({ length: 20 }, (_, index) => ({ id: index, type: "payment.step", data: { ok: true } })),
};

const presets = {
  SellAuth: {
    form: { signature: { header: "X-Signature", algorithm: "sha256" }, saleId: ["unique_id", "item.id"] },
    quantity: "item.quantity",
    body: (saleId: string, quantity: number) => ({
      ...{ event: "INVOICE.ITEM.DELIVER-DYNAMIC", id: 812_345, unique_id: saleId, status: "completed", ...customer },
      item: { id: 40_127, quantity, total_price: "39.98", product: { id: 77, name: "30 days" }, variant: { id: 88 } },
    }),
    saleId: "6f2c1a:40127",
  },
  Sellix: {
    form: { signature: { header: "X-Sellix-Unescaped-Signature", algorithm: "sha512" }, saleId: ["data.uniqid"] },
    quantity: "data.quantity",
    body: (saleId: string, quantity: number) => ({
      event: "order:paid:product",
      data: {
        id: 0,
        uniqid: saleId,
        quantity,
        product_id: "5ecf1",
        ...customer,
        product: { title: "30 days", stock: -1 },
      },
    }),
    saleId: "6f2c1a",
  },
};

describe.each(Object.entries(presets))("%s", (name, { form, quantity, body, saleId }) => {
  test("gets as many keys as it sold, for the bytes that it sends", async () => {
    const own = await createLink(reseller, "reseller", { name, ...form, quantity });
    const { header, algorithm } = form.signature;
    // PHP escapes slashes and other scripts, and may write spaces.
    const written = JSON.stringify(body("6f2c1a", 2), null, 2).replaceAll("/", "\\/").replaceAll("✓", "\\u2713");
    const sent = { "user-agent": "GuzzleHttp/7", [header]: signatureOf(written, own.secret, algorithm) };
    const response = await client.post(own.path, written, sent);
    expect([response.status, response.text.split("\n").length]).toEqual([200, 2]);
    const [order] = (await reseller.get("/api/reseller/orders")).body;
    expect(order).toMatchObject({ count: 2, saleId, shopLink: { id: own.id, name } });
    const escaped = await client.post(own.path, JSON.stringify(JSON.parse(written)), sent);
    expect([escaped.status, escaped.body.code]).toEqual([401, "SIGNATURE_WRONG"]);
  });
});

describe("the checks", () => {
  const body = sellAuthBody("checked");
  const codeOf = async (path: string, sent: string, headers: Record<string, string>) => {
    const response = await client.post(path, sent, headers);
    return [response.status, response.body?.code];
  };

  test("come in order: the link, the size, the type, the signature, JSON, what is read", async () => {
    const large = "x".repeat(64 * 1_024 + 1);
    const text = { "content-type": "text/plain" };
    expect(await codeOf("/api/shop/unknown", large, text)).toEqual([404, "NOT_FOUND"]);
    expect(await codeOf(link.path, large, text)).toEqual([413, "BODY_TOO_LARGE"]);
    expect(await codeOf(link.path, "{", text)).toEqual([415, "NOT_JSON"]);
    expect(await codeOf(link.path, "{", {})).toEqual([401, "SIGNATURE_WRONG"]);
    expect(await codeOf(link.path, "{", { "x-signature": signatureOf("{", link.secret) })).toEqual([
      400,
      "INVALID_JSON",
    ]);
    expect(await codeOf(link.path, "{}", { "x-signature": signatureOf("{}", link.secret) })).toEqual([422, "INVALID"]);
  });

  test("take 64 KiB with any number of fields", async () => {
    const sale = JSON.parse(sellAuthBody("large"));
    const rest = Array.from({ length: 15_000 }, () => ({}));
    const large = JSON.stringify({ ...sale, rest });
    const exact = `${large}${" ".repeat(64 * 1_024 - large.length)}`;
    expect((await callShop(client, link, exact)).status).toBe(200);
    expect((await callShop(client, link, `${exact} `)).status).toBe(413);
  });

  test("read no cookie and no API key, and no origin", async () => {
    const headers = {
      origin: "https://shop.example",
      "sec-fetch-site": "cross-site",
      authorization: "Bearer lk_unknown",
    };
    const response = await callShop(client, link, sellAuthBody("elsewhere"), { ...headers, cookie: reseller.cookie() });
    expect(response.status).toBe(200);
  });

  const raw = async (signatures: string[]) => {
    const lines = signatures.map((signature) => `X-Signature: ${signature}\r\n`).join("");
    const head = `POST ${link.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const response = await sendRaw(url, `${head}Content-Length: ${body.length}\r\n${lines}\r\n${body}`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
  };

  test("refuse a header that is missing, comes twice, is empty, very long or not ASCII", async () => {
    const right = signatureOf(body, link.secret);
    for (const wrong of [
      [],
      [right, right],
      [right, ""],
      ["", right],
      [""],
      ["0".repeat(12_000)],
      [`é${right.slice(2)}`],
      ["\u00ff"],
    ])
      expect([wrong, await raw(wrong)]).toEqual([wrong, 401]);
    expect(await raw([` \t${right} `])).toBe(200);
  });
});

test("10,000 broken bodies and headers get no fault, and no 2xx without keys", async () => {
  const quiet = await openShop();
  const handle = (request: Request) => quiet.panel.app.fetch(request);
  const broken = await createLink(await quiet.newReseller(1_000), "reseller");
  const below = (count: number) => Math.floor(Math.random() * count);
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const values = [
    "",
    "a",
    "\u0000",
    "\ud800",
    ":",
    0,
    -1,
    1,
    1e21,
    2 ** 53,
    0.5,
    null,
    true,
    [],
    {},
    [[[]]],
    "1",
    "999",
    "x".repeat(300),
  ];
  const bodyOf = () => {
    if (below(10) === 0) return sellAuthBody(`sale.${below(50)}`);
    const whole = JSON.stringify({
      ...{ [pick(["unique_id", "Unique_id", "__proto__", "constructor"])]: pick(values) },
      [pick(["item", "items"])]: pick([{ id: pick(values), quantity: pick(values) }, ...values]),
    });
    const at = below(whole.length + 1);
    return pick([
      ...[
        whole,
        whole,
        whole.slice(0, at),
        `${whole.slice(0, at)}${pick(['"', "{", "\\", "\u00ff", "9".repeat(30)])}${whole.slice(at)}`,
      ],
      ...[
        "[".repeat(below(40_000)),
        `${"[".repeat(40)}${"]".repeat(40)}`,
        whole.replace(/\d/g, "9".repeat(below(400))),
      ],
    ]);
  };
  const statuses: Record<number, number> = {};
  const unread: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const bytes = Buffer.from(bodyOf(), pick(["utf8", "latin1"] as const));
    const digest = createHmac(pick(["sha256", "sha256", "sha256", "sha512", "md5"]), broken.secret).update(bytes);
    const form = pick(["hex", "hex", "hex", "base64", "base64url", "latin1"] as const);
    const signature = pick(["", "", "", "sha256=", "v1=", "\t"]) + digest.digest(form).replace(/[\0\r\n]/g, "");
    const headers = new Headers({
      "content-type": pick(["application/json", "application/json; charset=utf-8", "text/json"]),
    });
    if (below(20) > 0) headers.set("x-signature", signature);
    const response = await handle(
      new Request(`http://localhost${broken.path}`, { method: "POST", headers, body: bytes }),
    );
    const text = await response.text();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    const isKeys = /^([A-Z0-9]+(-[A-Z0-9]+)+)(\n[A-Z0-9]+(-[A-Z0-9]+)+)*$/.test(text);
    if (response.status < 300 ? !isKeys : typeof JSON.parse(text).code !== "string")
      unread.push(`${response.status} ${text}`);
  }
  expect(unread).toEqual([]);
  expect(
    Object.keys(statuses).filter((status) => ![200, 400, 401, 402, 409, 415, 422].includes(Number(status))),
  ).toEqual([]);
  for (const status of [200, 400, 401, 415, 422]) expect(statuses[status]).toBeGreaterThan(10);
  await quiet.expectSound();
  await quiet.close();
});

describe("a link", () => {
  const password = passwordOf.reseller;
  const form = { name: "Shop", game: "FREE FIRE", durationId: 4, deviceLimit: 1, saleId: ["id"], password };
  const create = (over: object) => reseller.post("/api/reseller/shop-links", { ...form, ...over });

  test("is made with a secret that is shown once, and what is left out has its default", async () => {
    const { status, body } = await create({ game: "free fire" });
    const { secret, ...row } = body;
    expect(status).toBe(201);
    expect(secret).toMatch(/^shs_[A-Za-z0-9]{32}$/);
    expect(row).toEqual({
      ...{ id: row.id, name: "Shop", url: `${url}/api/shop/${row.url.slice(-24)}`, game: "FREE FIRE", durationId: 4 },
      ...{
        deviceLimit: 1,
        starts: "creation",
        signature: { header: "X-Signature", algorithm: "sha256" },
        saleId: ["id"],
      },
      ...{ quantity: null, maxQuantity: 10, creditsPerDay: null, isActive: true, lastSaleAt: null },
      createdAt: new Date(shop.clock.now).toISOString(),
    });
    expect(row.url).toMatch(/\/api\/shop\/[A-Za-z0-9]{24}$/);
    const path = `/api/reseller/shop-links/${row.id}`;
    const change = {
      name: "New",
      starts: "first_use",
      signature: { algorithm: "sha512" },
      maxQuantity: 5,
      creditsPerDay: 7.5,
    };
    const changed = (await reseller.call("PUT", path, change)).body;
    expect(changed).toEqual({ ...row, ...change, signature: { header: "X-Signature", algorithm: "sha512" } });
    expect((await reseller.get("/api/reseller/shop-links")).body.at(-1)).toEqual(changed);
    expect((await reseller.call("DELETE", path)).body).toEqual({ message: "Shop link deleted" });
    expect((await reseller.call("PUT", path, { isActive: false })).status).toBe(404);
  });

  test.each([
    ...[
      { name: "" },
      { name: "a".repeat(65) },
      { secret: "too-short" },
      { secret: "a secret with spaces" },
      { saleId: [] },
    ],
    ...[
      { saleId: ["a", "b", "c", "d"] },
      { saleId: ["a b"] },
      { saleId: ["a."] },
      { saleId: ["a.b.c.d.e.f"] },
      { saleId: "a" },
    ],
    ...[
      { quantity: "", saleId: [""] },
      { quantity: "$.n" },
      { maxQuantity: 0 },
      { maxQuantity: 101 },
      { deviceLimit: 5 },
    ],
    ...[{ signature: { header: "X Signature" } }, { signature: { algorithm: "md5" } }, { signature: { header: "é" } }],
    ...[{ creditsPerDay: 0.05 }, { creditsPerDay: 1.23 }, { starts: "later" }, { game: "unknown" }, { isActive: 1 }],
  ])("with %j is refused", async (wrong) => {
    const { status, body } = await create(wrong);
    expect([status, body.code]).toEqual([422, "INVALID"]);
  });

  test("is refused for what is not on sale, and with a wrong or missing password", async () => {
    const other = await shop.newReseller(10);
    await shop.sellOnly(other, [[4, 1, 3]]);
    const refused = async (over: object) => {
      const { status, body } = await other.post("/api/reseller/shop-links", { ...form, ...over });
      return [status, body.code];
    };
    expect(await refused({ deviceLimit: 2 })).toEqual([422, "NOT_SOLD"]);
    expect(await refused({ durationId: 99 })).toEqual([422, "INVALID_DAY_TIER"]);
    expect(await refused({ password: "wrong-password" })).toEqual([401, "WRONG_CREDENTIALS"]);
    expect(await refused({ password: undefined })).toEqual([422, "INVALID"]);
    const own = await createLink(other, "reseller");
    await shop.sellOnly(other, [[1, 1, 3]]);
    const put = async (body: object) => (await other.call("PUT", `/api/reseller/shop-links/${own.id}`, body)).status;
    expect([await put({ name: "Unsold" }), await put({ deviceLimit: 1 })]).toEqual([200, 422]);
  });

  test("is one of at most 20, also of those that race", async () => {
    const other = await shop.newReseller(0);
    const made = await Promise.all(
      Array.from({ length: 22 }, () => other.post("/api/reseller/shop-links", { ...form })),
    );
    expect(made.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(20);
    expect(made.filter(({ body }) => body.code === "TOO_MANY_SHOP_LINKS")).toHaveLength(2);
  });
});
