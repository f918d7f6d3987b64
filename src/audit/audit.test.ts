import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay, msPerMinute } from "../core/clock.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import type { AuditEntry } from "./schema.ts";

const adminAddress = "203.0.113.7";
const resellerAddress = "198.51.100.20";

let panel: Panel;
let admin: Client;
let owl: ResellerClient;

beforeAll(async () => {
  panel = await openPanel({ behindProxy: true });
  admin = await signInAdmin(() => panel.newClient(adminAddress));
  owl = await registerReseller(() => panel.newClient(resellerAddress), admin, { username: "Night.Owl", credits: 7.5 });
});
afterAll(() => panel.close());

async function rows(query = ""): Promise<AuditEntry[]> {
  const { status, body } = await admin.get(`/api/admin/audit?${query}`);
  expect(status).toBe(200);
  return body;
}

const newest = async () => (await rows("limit=1"))[0];
const as = (role: "admin" | "reseller") =>
  role === "admin"
    ? { actor: { id: 1, username: "admin", role }, address: adminAddress }
    : { actor: { id: owl.id, username: "Night.Owl", role }, address: resellerAddress };

test("the audit log of a new panel lists commands and sign-ins, newest first", async () => {
  const [first] = (await admin.get("/api/admin/resellers")).body;
  const found = await rows();
  const at = "2025-03-05T14:30:00.000Z";
  const id = expect.any(Number);
  // Since the migration that creates the audit log.
  const migrations = releasedMigrations()
    .slice(2)
    .map(({ name }) => name)
    .reverse();
  const byOperator = { id, at, actor: null, address: null };
  expect(found).toEqual([
    { id, at, action: "signed_in", ...as("reseller"), target: "reseller Night.Owl", details: {} },
    {
      ...{ id, at, action: "registered", ...as("reseller"), target: "reseller Night.Owl" },
      details: { resellerId: first.id, tokenId: 1, credits: 7.5 },
    },
    { id, at, action: "token_created", ...as("admin"), target: "token 1", details: { credits: 7.5 } },
    { id, at, action: "signed_in", ...as("admin"), target: "admin admin", details: {} },
    { ...byOperator, action: "admin_created", target: "admin admin", details: { by: "command line" } },
    ...migrations.map((migration) => ({
      ...byOperator,
      ...{ action: "database_migrated" as const, target: "database" },
      details: { by: "command line", migration },
    })),
  ]);
});

describe("an audit row", () => {
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1 };

  test("covers a batch of keys, with the purchase and its cost", async () => {
    const { body } = await owl.post("/api/reseller/keys/generate", { ...order, count: 3 });
    expect(await newest()).toMatchObject({
      ...as("reseller"),
      action: "keys_generated",
      target: `order ${body.orderId}`,
      details: { count: 3, game: "FREE FIRE", days: 5, deviceLimit: 2, cost: 1.5 },
    });
  });

  test("of an admin's key has its number of whole days", async () => {
    const expiryDate = new Date(panel.clock.now + 30 * msPerDay + msPerMinute).toISOString();
    await admin.post("/api/admin/keys/generate", { game: "PUBG MOBILE", deviceLimit: 100, expiryDate, count: 1 });
    expect((await newest())?.details).toEqual({ count: 1, game: "PUBG MOBILE", days: 30, deviceLimit: 100, cost: 0 });
  });

  test.each([
    ["ABCD", "CD"],
    ["ABCDEFGHIJK", "JK"],
    ["ABCDEFGHIJKL", "HIJKL"],
  ])("of the key %s shows only its end, %s", async (keyString, end) => {
    const { body } = await owl.post("/api/reseller/keys/generate", { ...order, keyString });
    const [key] = body.keys;
    const target = `key ${key.id} …${end}`;
    await admin.call("DELETE", `/api/admin/keys/${key.id}`);
    expect(await newest()).toMatchObject({
      ...as("admin"),
      ...{ action: "key_revoked", target, details: { game: "FREE FIRE", owner: "Night.Owl" } },
    });
  });

  test("has the amount and the new balance of a grant, and the number of sessions ended by a suspension", async () => {
    await admin.post("/api/admin/resellers/credits", { resellerId: owl.id, amount: 20 });
    const { credits } = (await owl.get("/api/reseller/profile")).body;
    expect(await newest()).toMatchObject({
      action: "credit_granted",
      target: "reseller Night.Owl",
      details: { resellerId: owl.id, amount: 20, balance: credits },
    });
    const path = `/api/admin/resellers/${owl.id}/toggle-status`;
    await admin.post(path, { isActive: false });
    expect(await newest()).toMatchObject({
      action: "reseller_suspended",
      details: { resellerId: owl.id, sessions: 1 },
    });
    await admin.post(path, { isActive: true });
    expect(await newest()).toMatchObject({ action: "reseller_reactivated", details: { resellerId: owl.id } });
    await owl.post("/api/auth/reseller/login", { username: "night.owl", password: "test-reseller-password" });
  });
});

test("a call that changes nothing leaves no row: a retry, an unchanged status, no other sessions", async () => {
  await owl.call("DELETE", "/api/auth/sessions");
  const retry = { "idempotency-key": "once" };
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
  await owl.post("/api/reseller/keys/generate", order, retry);
  const before = await newest();
  await owl.post("/api/reseller/keys/generate", order, retry);
  await admin.post(`/api/admin/resellers/${owl.id}/toggle-status`, { isActive: true });
  await admin.call("DELETE", "/api/auth/sessions");
  await admin.post("/api/admin/keys/reset-devices");
  await admin.call("DELETE", "/api/auth/two-factor", { password: "test-admin-password" });
  await panel.newClient().post("/api/auth/logout");
  expect(await newest()).toEqual(before as AuditEntry);
});

test("a refused call leaves no row", async () => {
  const before = await newest();
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 60, count: 100 };
  expect((await owl.post("/api/reseller/keys/generate", order)).status).toBe(402);
  expect((await admin.call("DELETE", "/api/admin/keys/999999")).status).toBe(404);
  expect((await admin.call("DELETE", "/api/admin/online-updates/999999")).status).toBe(404);
  expect((await admin.get("/api/admin/backup/download/sessions")).status).toBe(404);
  expect((await admin.get("/api/admin/audit?format=csv&from=yesterday")).status).toBe(422);
  expect(await newest()).toEqual(before as AuditEntry);
});

test("names with quotes, wildcards or formulas are taken literally", async () => {
  const title = `'; DROP TABLE audit; -- "%_\\`;
  const { body } = await admin.post("/api/admin/online-updates", { title, message: "m" });
  expect(await newest()).toMatchObject({ target: `update ${body.id}`, details: { title, isActive: true } });
  expect(await rows("search=%25")).toEqual([]);
});

describe("the list", () => {
  test("finds parts of the actor, the target and the address, ignoring case", async () => {
    const actions = async (search: string) => [
      ...new Set((await rows(`search=${search}`)).map(({ action }) => action)),
    ];
    expect(await actions("token%20")).toEqual(["token_created"]);
    expect((await rows("search=NIGHT.O&limit=200")).length).toBeGreaterThan(5);
    const fromThere = await rows(`search=${resellerAddress}&limit=200`);
    expect(new Set(fromThere.map(({ address }) => address))).toEqual(new Set([resellerAddress]));
  });

  test("filters by action, by the actor's full name ignoring case, and by time, including from and excluding to", async () => {
    expect((await rows("action=token_created")).map(({ target }) => target)).toEqual(["token 1"]);
    expect((await rows("actor=night.owl&limit=200")).every(({ actor }) => actor?.username === "Night.Owl")).toBe(true);
    expect(await rows("actor=night")).toEqual([]);
    expect(await rows("action=all&actor=&limit=3")).toHaveLength(3);

    panel.clock.now += msPerDay;
    await admin.post("/api/admin/tokens/generate");
    const dayOf = async (query: string) => (await rows(query)).map(({ at }) => at.slice(8, 10));
    expect(await dayOf("from=2025-03-06")).toEqual(["06"]);
    expect(await dayOf("from=2025-03-06T14:30:00.000Z")).toEqual(["06"]);
    expect(await dayOf("from=2025-03-06T14:30:00.001Z")).toEqual([]);
    expect(new Set(await dayOf("to=2025-03-06T14:30:00Z"))).toEqual(new Set(["05"]));
    expect(await dayOf("from=2025-03-06&to=2025-03-06")).toEqual([]);
    expect(await dayOf("from=2025-03-06T16:30:00%2B02:00")).toEqual(["06"]);
  });

  test.each([
    ["from=yesterday", "from must be an ISO date or date-time"],
    ["to=2025-02-30", "to must be an ISO date or date-time"],
    ["action=deleted", "action must be one of the audit log's actions"],
    ["format=xml", "format must be json or csv"],
    ["limit=0", "limit must be a whole number from 1 to 200"],
    ["cursor=WzFd", "cursor does not belong to this list"],
  ])("refuses %s with a message", async (query, message) => {
    const response = await admin.get(`/api/admin/audit?${query}`);
    expect([response.status, response.body.message]).toEqual([422, message]);
  });

  test("has each row exactly once over all pages although rows are added meanwhile", async () => {
    const whole = (await rows("limit=200")).map(({ id }) => id);
    const paged: number[] = [];
    let path = "/api/admin/audit?limit=4";
    while (path !== "") {
      const { body, headers } = await admin.get(path);
      paged.push(...body.map(({ id }: AuditEntry) => id));
      path = headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
      await admin.post("/api/admin/tokens/generate");
    }
    expect(paged).toEqual(whole);
  });

  test("without a limit has 100 rows and a link to the next page", async () => {
    for (let token = 0; token < 100; token += 1) await admin.post("/api/admin/tokens/generate");
    const { body, headers } = await admin.get("/api/admin/audit");
    expect(body).toHaveLength(100);
    const next = headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
    expect((await admin.get(next)).body[0].id).toBeLessThan(body[99].id);
  });
});

describe("the CSV file", () => {
  const linesOf = (text: string) => text.replace("\uFEFF", "").trimEnd().split("\r\n");

  test("has every matching row and a file name with the time, and is itself logged with its filters", async () => {
    const { headers, text } = await admin.get("/api/admin/audit?format=csv&action=token_created");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="latchkey-audit-log-2025-03-06T[\d-]+Z\.csv"$/,
    );
    const [first, ...lines] = linesOf(text);
    expect(first).toBe("id,at,action,actor,target,address,details");
    const [{ count } = { count: 0 }] = await panel.database.read<{ count: number }>`
      SELECT count(*) AS count FROM audit WHERE action = 'token_created'`;
    expect(count).toBeGreaterThan(100);
    expect(lines).toHaveLength(count);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^\\d+,2025-03-05T14:30:00.000Z,token_created,admin,token 1,${adminAddress},"{""credits"":7.5}"$`),
    );
    expect(await newest()).toMatchObject({
      ...as("admin"),
      ...{ action: "data_downloaded", target: "audit log", details: { action: "token_created" } },
    });
  });

  test("spans several reads, is newest first, and respects a limit", async () => {
    await panel.database.transaction(null, async ({ sql }) => {
      for (let row = 0; row < 1_200; row += 1) {
        await sql`INSERT INTO audit (at, action, target, details) VALUES (${row}, 'signed_in', 'many', '{}')`;
      }
    });
    const long = linesOf((await admin.get("/api/admin/audit?format=csv&search=many")).text).slice(1);
    expect(long).toHaveLength(1_200);
    const times = long.map((line) => line.split(",")[1] as string);
    expect(times).toEqual(times.toSorted().reverse());
    expect(linesOf((await admin.get("/api/admin/audit?format=csv&limit=7")).text)).toHaveLength(8);
  });

  test("contains no text that a spreadsheet runs as a formula", async () => {
    await panel.database.transaction(null, async ({ sql }) => {
      await sql`INSERT INTO audit (at, action, target, address, details)
        VALUES (${panel.clock.now}, 'signed_in', '=HYPERLINK("http://evil.example")', '@SUM(A1)', '{}')`;
    });
    const [, line] = linesOf((await admin.get("/api/admin/audit?format=csv&search=hyperlink")).text);
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")","'@SUM(A1)"`);
  });
});

test("a name in any script is found in any case, without joiners and selectors", async () => {
  await admin.post("/api/admin/games", { name: "Ёжик İZMİR ❤️" });
  for (const search of ["ЁЖИК", "ёжик izmir ❤", "ızmır"]) {
    expect(await rows(`search=${encodeURIComponent(search)}`)).toMatchObject([{ target: "game Ёжик İZMİR ❤️" }]);
  }
  expect(await rows(`search=${encodeURIComponent("ADMİN")}&limit=1`)).toHaveLength(1);
});

test("resellers and anonymous clients cannot read the audit log", async () => {
  expect((await owl.get("/api/admin/audit")).status).toBe(403);
  expect((await owl.get("/api/admin/audit?format=csv")).status).toBe(403);
  expect((await panel.newClient().get("/api/admin/audit")).status).toBe(401);
});

test("a removed admin's rows keep the name and are found by it", async () => {
  await panel.database.transaction(null, async ({ sql }) => {
    await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'Leaver', 'x', 1)`;
    await sql`INSERT INTO audit (at, action, actor_id, actor_username, actor_role, target, details)
      SELECT ${panel.clock.now}, 'token_created', id, username, role, 'token 9999', '{}' FROM accounts WHERE username = 'Leaver'`;
    await sql`UPDATE accounts SET removed_at = 2 WHERE username = 'Leaver'`;
  });
  expect((await rows("actor=leaver")).map(({ actor }) => actor?.username)).toEqual(["Leaver"]);
});
