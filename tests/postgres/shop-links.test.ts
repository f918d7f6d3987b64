import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { parallel } from "../parallel.ts";
import { type Latchkey, runLatchkey, sharedSecret, startLatchkey } from "../process.ts";
import { createLink, passwordOf, sell, type TestLink } from "../shop-link.ts";

let processes: Latchkey[];
let admin: Client;
let drop: () => Promise<void>;
let environment: Record<string, string>;
let sql: Bun.SQL;
let serial = 0;

beforeAll(async () => {
  const postgres = await makePostgresDatabase(testServer as string);
  drop = postgres.drop;
  sql = new SQL(postgres.url, { max: 1 });
  environment = { DATABASE_URL: postgres.url, SECRET: sharedSecret };
  const started = { ...environment, RATE_LIMITS: "off" };
  processes = await Promise.all([startLatchkey({ environment: started }), startLatchkey({ environment: started })]);
  admin = await signInAdmin(() => createClient(processes[0]?.url as string));
});
afterAll(async () => {
  await Promise.all([...processes.map((each) => each.stop()), sql.close()]);
  const { code, stderr } = await runLatchkey(["check"], { environment });
  expect([code, stderr]).toEqual([0, ""]);
  await drop();
});

async function newLink(credits: number, form: object = {}): Promise<{ owner: ResellerClient; link: TestLink }> {
  const username = `shop.${++serial}`;
  const owner = await registerReseller(() => createClient(processes[0]?.url as string), admin, { username, credits });
  return { owner, link: await createLink(owner, "reseller", form) };
}

/** Alternates between the processes. */
const clientAt = (index: number) => createClient(processes[index % 2]?.url as string);
const countOrders = async ({ id }: TestLink) =>
  Number((await sql`SELECT count(*) AS count FROM orders WHERE shop_link_id = ${id}`)[0].count);
const creditsOf = async (owner: Client) => (await owner.get("/api/reseller/profile")).body.credits;

test("100 calls of one sale id at two processes make one order", async () => {
  const { owner, link } = await newLink(100);
  const responses = await parallel(100, (index) => sell(clientAt(index), link, "one", 2));
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect([responses[0]?.status, await countOrders(link), await creditsOf(owner)]).toEqual([200, 1, 94]);
});

test("credits for 7 sales sell 7 of 40, at both processes", async () => {
  const { owner, link } = await newLink(21);
  const responses = await parallel(40, (index) => sell(clientAt(index), link, `sale.${index}`));
  expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(7);
  expect(responses.every(({ status }) => status === 200 || status === 402)).toBe(true);
  expect([await countOrders(link), await creditsOf(owner)]).toEqual([7, 0]);
});

test("credits a day for 5 sales sell 5 of 40, at both processes", async () => {
  const { link } = await newLink(1_000, { creditsPerDay: 15 });
  const responses = await parallel(40, (index) => sell(clientAt(index), link, `sale.${index}`));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(await countOrders(link)).toBe(5);
});

describe("once it is acknowledged, nothing of an earlier call is sold at either process:", () => {
  const ends: Record<string, (owner: ResellerClient, path: string) => Promise<{ status: number }>> = {
    "a switch-off": (owner, path) => owner.call("PUT", path, { isActive: false }),
    "a deletion": (owner, path) => owner.call("DELETE", path),
    "a new secret": (owner, path) => owner.post(`${path}/secret`, { password: passwordOf.reseller }),
    "a suspension": (owner) => admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive: false }),
  };

  test.each(Object.keys(ends))("%s", async (name) => {
    const { owner, link } = await newLink(1_000);
    const running = parallel(80, (index) => sell(clientAt(index), link, `sale.${index}`));
    while ((await countOrders(link)) === 0) await Bun.sleep(5);
    const ended = await ends[name]?.(owner, `/api/reseller/shop-links/${link.id}`);
    const acknowledged = await countOrders(link);
    expect(ended?.status).toBe(200);
    const statuses = (await running).map(({ status }) => status);
    expect(await countOrders(link)).toBe(acknowledged);
    expect(statuses.filter((status) => status === 200)).toHaveLength(acknowledged);
    expect(statuses.every((status) => [200, 401, 404].includes(status))).toBe(true);
  });
});

test("equal refusals at two processes are one row, and webhooks are told once", async () => {
  const { owner, link } = await newLink(0);
  await owner.post("/api/reseller/webhooks", { kind: "standard", url: "https://example.com", events: ["sale.failed"] });
  await parallel(10, (index) => sell(clientAt(index), link, "short"));
  const rows = () => sql`SELECT refusal_count AS count FROM shop_sales WHERE shop_link_id = ${link.id}`;
  const total = async () =>
    (await rows()).reduce((sum: number, { count }: { count: string }) => sum + Number(count), 0);
  while ((await total()) < 10) await Bun.sleep(50);
  // The minute may have ended in between.
  expect((await rows()).length).toBeLessThanOrEqual(2);
  const told = await sql`SELECT 1 FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE w.account_id = ${owner.id} AND d.type = 'sale.failed'`;
  expect(told).toHaveLength(1);
});
