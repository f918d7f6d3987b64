import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 100 });
  const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 100 });
  for (const keyString of ["SOLO-B1B1", "S0L0-8181", "5OL0-BIB1", "NONE_-LIKE"]) await buy(seller, keyString);
  await buy(other, "ELSE-WHERE");
});
afterAll(() => panel.close());

const buy = (whose: Client, keyString: string) =>
  whose.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, keyString });
const textsIn = (keys: { keyString: string }[]) => keys.map(({ keyString }) => keyString);
const found = async (search: string, more = "") =>
  textsIn((await seller.get(`/api/reseller/keys?sort=key&search=${encodeURIComponent(search)}${more}`)).body);

test.each([
  ["solo b1", ["SOLO-B1B1"]],
  ["OLOB", ["SOLO-B1B1"]],
  ["s-o-l-o – b1b1", ["SOLO-B1B1"]],
  ["e_l", ["NONE_-LIKE"]],
  ["e%l", []],
  ["---", ["5OL0-BIB1", "NONE_-LIKE", "S0L0-8181", "SOLO-B1B1"]],
])("a search for %s finds keys that contain it, ignoring case, dashes and spaces", async (search, texts) => {
  expect(await found(search)).toEqual(texts);
});

test.each(["s0lo81b1", "SOLO-8IB", "5o1o"])("if no key contains %s, look-alikes are found", async (search) => {
  expect(await found(search)).toEqual(["5OL0-BIB1", "S0L0-8181", "SOLO-B1B1"]);
});

test("a text without matches or look-alikes finds nothing, nor does another account's key", async () => {
  expect([await found("elsewhere"), await found("qqqq"), await found("e1sewhere")]).toEqual([[], [], []]);
});

test("look-alikes are not shown if filters exclude all exact matches", async () => {
  expect(await found("solo-b1", "&status=REVOKED")).toEqual([]);
  expect(await found("solo-8ib", "&game=FREE%20FIRE")).toHaveLength(3);
});

test("look-alikes are counted, and paging continues even if an exact match is created meanwhile", async () => {
  const page = await seller.get("/api/reseller/keys?sort=key&search=s0l081b1&limit=2&count=true");
  expect([textsIn(page.body), page.headers.get("x-match-count")]).toEqual([["5OL0-BIB1", "S0L0-8181"], "3"]);
  await buy(seller, "S0L0-81B1");
  const next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
  expect(textsIn((await seller.get(next)).body)).toEqual(["S0L0-81B1", "SOLO-B1B1"]);
  expect(await found("s0l081b1")).toEqual(["S0L0-81B1"]);
});

test("the same applies to an admin's keys", async () => {
  await admin.post("/api/admin/keys/generate", {
    ...{ game: "FREE FIRE", deviceLimit: 1, expiryDate: "2025-04-01", count: 1, keyString: "BOSS-1" },
  });
  const { keys, totalCount, matchCount } = (await admin.get("/api/admin/keys/manage?search=80551")).body;
  expect([textsIn(keys), totalCount, matchCount]).toEqual([["BOSS-1"], 1, 1]);
});

test.each(["~", "~~W10", "~e30"])("the cursor %s is invalid", async (cursor) => {
  expect((await seller.get(`/api/reseller/keys?limit=2&search=a&cursor=${cursor}`)).status).toBe(422);
});

test("every list of keys can be narrowed to an order, which finds nothing in another owner's list", async () => {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 2 };
  const { orderId } = (await seller.post("/api/reseller/keys/generate", order)).body;
  const madeBy = { game: "FREE FIRE", deviceLimit: 1, expiryDate: "2025-04-01", count: 3 };
  const { orderId: adminsId } = (await admin.post("/api/admin/keys/generate", madeBy)).body;
  const page = await seller.get(`/api/reseller/keys?orderId=${orderId}&limit=1&count=true`);
  expect([page.body.length, page.headers.get("x-match-count")]).toEqual([1, "2"]);
  const next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
  expect((await seller.get(next)).body).toMatchObject([{ orderId }]);
  const counts = async (id: number) => [
    (await seller.get(`/api/reseller/keys?orderId=${id}&status=ACTIVE`)).body.length,
    (await admin.get(`/api/admin/resellers/${seller.id}/keys?orderId=${id}`)).body.length,
    (await admin.get(`/api/admin/keys/manage?orderId=${id}&limit=50`)).body.matchCount,
  ];
  expect([await counts(orderId), await counts(adminsId)]).toEqual([
    [2, 2, 0],
    [0, 0, 3],
  ]);
  const [{ keyString }] = page.body;
  for (const [search, found] of [[keyString, 1] as const, ["SOLO", 0] as const])
    expect((await seller.get(`/api/reseller/keys?orderId=${orderId}&search=${search}`)).body).toHaveLength(found);
  const { status, body } = await seller.get("/api/reseller/keys?orderId=first");
  expect([status, body.message]).toEqual([422, "orderId must be the number of an order"]);
});
