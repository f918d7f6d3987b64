import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";

let panel: Panel;
let admin: Client;
let owl: ResellerClient;

/** More rows than are read at once, and not a multiple. */
const batches = 11;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  owl = await registerReseller(panel.newClient, admin, { username: "Night.Owl", credits: 2_000 });
  const order = { game: "FREE FIRE", deviceLimit: 2, count: 100 };
  for (let batch = 0; batch < batches; batch += 1) {
    await owl.post("/api/reseller/keys/generate", { ...order, days: 5 });
    await admin.post("/api/admin/keys/generate", { ...order, expiryDate: "2025-04-01" });
    panel.clock.now += 1;
  }
  await panel.database.transaction(null, async ({ sql }) => {
    for (const device of [1, 2])
      await sql`INSERT INTO key_devices (key_id, device_id, first_connected_at) SELECT id, ${`phone-${device}`}, 1 FROM license_keys WHERE id % 3 >= ${device}`;
    for (let row = 10; row < 1_010; row += 1) {
      await sql`INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (${row}, 'reseller', ${`r"${row}`}, 'x', ${row})`;
      await sql`INSERT INTO resellers (id) VALUES (${row})`;
      await sql`INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by) VALUES (${`a-token-of-somebody-${row}`}, 5, 1, 1)`;
    }
  });
});
afterAll(() => panel.close());

const manage = "/api/admin/keys/manage?";
const lists: [string, number][] = [
  [manage, batches * 100],
  [`${manage}sort=devices&order=asc&`, batches * 100],
  [`${manage}search=fire&`, batches * 100],
  [`${manage}status=REVOKED&`, 0],
  ["/api/admin/resellers/2/keys?", batches * 100],
  ["/api/admin/resellers/2/keys?sort=key&", batches * 100],
  ["/api/reseller/keys?sort=expiry&order=asc&", batches * 100],
  ["/api/admin/resellers?", 1_001],
  ["/api/admin/resellers?sort=username&", 1_001],
  ["/api/admin/resellers?search=nobody&", 0],
  ["/api/admin/tokens?", 1_001],
  ["/api/admin/tokens?status=available&", 1_000],
];

test.each(lists)("%s as a whole equals its pages and a single response", async (path, count) => {
  const client = path.startsWith("/api/admin") ? admin : owl;
  const whole = await client.get(path);
  const { status, body, text, headers } = whole;
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(text).toBe(JSON.stringify(body));
  const rowsIn = (response: unknown[] | { keys: unknown[] }) => (Array.isArray(response) ? response : response.keys);
  const paged: unknown[] = [];
  for (let next: string | null = `${path}limit=200`; next; ) {
    const page = await client.get(next);
    expect(headers.get("content-type")).toBe(page.headers.get("content-type") ?? "");
    paged.push(...rowsIn(page.body));
    const link: string | undefined = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1];
    next = link ?? (page.body.nextCursor ? `${path}limit=200&cursor=${page.body.nextCursor}` : null);
  }
  expect(paged).toHaveLength(count);
  expect(rowsIn(body)).toEqual(paged);
});

test("a whole list from a cursor has the remaining rows", async () => {
  const page = await admin.get(`${manage}sort=key&limit=150`);
  const rest = await admin.get(`${manage}sort=key&cursor=${page.body.nextCursor}`);
  expect(page.body.keys.length + rest.body.keys.length).toBe(batches * 100);
  expect(rest.body).toMatchObject({ totalCount: batches * 100, matchCount: batches * 100, nextCursor: null });
  expect(rest.body.keys[0].keyString > page.body.keys[149].keyString).toBeTrue();
});

test("a reseller's whole list is counted on request", async () => {
  const counted = async (query: string) => (await owl.get(`/api/reseller/keys${query}`)).headers.get("x-match-count");
  expect(await counted("?count=true")).toBe("1100");
  expect(await counted("?count=true&search=no-such-text")).toBe("0");
  expect(await counted("")).toBeNull();
});

test("errors of a whole list are reported before it begins", async () => {
  expect((await admin.get("/api/admin/resellers/9999/keys")).status).toBe(404);
  expect((await admin.get(`${manage}cursor=WzFd`)).status).toBe(422);
  expect((await owl.get(manage)).status).toBe(403);
  expect((await panel.newClient().get("/api/reseller/keys")).status).toBe(401);
});

test("a reseller's whole list is not refused beside those of four others that are not read", async () => {
  const path = "/api/reseller/keys";
  const begin = (reseller: Client) =>
    panel.app.fetch(new Request(`http://localhost${path}`, { headers: { cookie: reseller.cookies() } }));
  const names = ["slow.one", "slow.two", "slow.three", "slow.four"];
  const others = await Promise.all(names.map((username) => registerReseller(panel.newClient, admin, { username })));
  const lists = others.map((other) => [begin(other), begin(other)]);
  for (const list of lists) expect((await Promise.race(list)).status).toBe(200);
  expect((await owl.get(path)).status).toBe(200);
  await Promise.all(lists.flat().map(async (list) => (await list).body?.cancel()));
});
