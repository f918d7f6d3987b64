import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, createApiKey, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { insertToken } from "../tokens/store.ts";
import { type AuditedChanges, type Caller, createAuditedChanges } from "./audited-changes.ts";
import { full } from "./schema.ts";

let panel: Panel;
let admin: Client;
let changes: AuditedChanges;
let caller: Caller;

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(() => panel.newClient());
  changes = createAuditedChanges({ database: panel.database, now: () => panel.clock.now });
  const [session] = (await admin.get("/api/auth/sessions")).body;
  const address = "203.0.113.7";
  caller = { id: 1, username: "admin", role: "admin", ...full, sessionId: session.id, address, requestId: "r" };
});

afterEach(() => panel.close());

const token = { token: "a-token-of-twenty-two-c", creditsTenths: 0, createdAt: 1, createdBy: 1, label: null };

/** The number of tokens, and how many of them are in the audit log. */
async function counts(): Promise<{ tokens: number; records: number } | undefined> {
  const [row] = await panel.database.read<{ tokens: number; records: number }>`
    SELECT (SELECT count(*) FROM referral_tokens) AS tokens,
      (SELECT count(*) FROM audit WHERE action = 'token_created') AS records`;
  return row;
}

const issue = (by: Caller, thenThrow = false) =>
  changes.carryOut(by, async ({ sql }) => {
    const id = await insertToken(sql, token);
    if (thenThrow) throw new Error("It went wrong after all.");
    return { result: id, record: { action: "token_created", target: `token ${id}`, details: { credits: 0 } } };
  });

test("a change and its audit row are committed together", async () => {
  expect(await issue(caller)).toBe(1);
  expect(await counts()).toEqual({ tokens: 1, records: 1 });
});

test("a failed change leaves neither", async () => {
  await expect(issue(caller, true)).rejects.toThrow("It went wrong after all.");
  expect(await counts()).toEqual({ tokens: 0, records: 0 });
});

test("a change whose audit row cannot be written is rolled back", async () => {
  await expect(issue({ ...caller, address: "x".repeat(65) })).rejects.toThrow();
  expect(await counts()).toEqual({ tokens: 0, records: 0 });
});

test("a change whose session has ended meanwhile has no effect", async () => {
  await admin.post("/api/auth/logout");
  await expect(issue(caller)).rejects.toMatchObject({ code: "NOT_SIGNED_IN" });
  expect(await counts()).toEqual({ tokens: 0, records: 0 });
});

test("a change whose API key was deleted or has expired meanwhile has no effect", async () => {
  const expiresAt = new Date(panel.clock.now + 1_000).toISOString();
  await createApiKey(admin, "admin", { scopes: ["tokens:manage"], expiresAt });
  const [{ id }] = (await admin.get("/api/admin/api-keys")).body;
  const apiKey = { id, name: "Shop", scopes: ["tokens:manage" as const], limitPerDayTenths: null };
  const program = {
    id: 1,
    username: "admin",
    role: "admin" as const,
    ...full,
    address: "203.0.113.7",
    requestId: "r",
    apiKey,
  };
  expect(await issue(program)).toBe(1);
  panel.clock.now += 1_000;
  await expect(issue(program)).rejects.toMatchObject({ code: "API_KEY_EXPIRED" });
  await admin.call("DELETE", `/api/admin/api-keys/${id}`);
  await expect(issue(program)).rejects.toMatchObject({ code: "API_KEY_UNKNOWN" });
  expect(await counts()).toEqual({ tokens: 1, records: 1 });
});

test("of racing changes exactly the successful ones are in the audit log", async () => {
  const orders = Array.from({ length: 40 }, () => ({ username: "same.name", password: "secret1" }));
  const tokens = await Promise.all(orders.map(() => admin.post("/api/admin/tokens/generate")));
  const responses = await Promise.all(
    orders.map((form, index) =>
      panel
        .newClient()
        .post("/api/auth/reseller/register", { ...form, referralToken: tokens[index]?.body.token.token }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await admin.get("/api/admin/audit?action=registered")).body).toHaveLength(1);
});

test("audit rows can be neither changed nor deleted", async () => {
  await issue(caller);
  const { transaction } = panel.database;
  await expect(transaction(null, ({ sql }) => sql`UPDATE audit SET target = 'token 2'`)).rejects.toThrow("append-only");
  await expect(transaction(null, ({ sql }) => sql`DELETE FROM audit`)).rejects.toThrow("append-only");
  await expect(transaction(null, ({ sql }) => sql`DELETE FROM audit_horizon`)).rejects.toThrow("is kept");
});
