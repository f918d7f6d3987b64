import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
const resellers: ResellerClient[] = [];

/** Five resellers, a day apart, with different balances and numbers of keys. */
beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  for (const [index, username] of ["delta", "Alpha", "echo_1", "bravo", "charlie"].entries()) {
    const reseller = await registerReseller(panel.newClient, admin, { username, credits: 10 + index });
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 5 - index };
    await reseller.post("/api/reseller/keys/generate", order);
    resellers.push(reseller);
    panel.clock.now += msPerDay;
  }
});
afterAll(() => panel.close());

const names = async (query = "") =>
  (await admin.get(`/api/admin/resellers${query}`)).body.map(({ username }: { username: string }) => username);

describe("the list of resellers", () => {
  test.each([
    ["", ["charlie", "bravo", "echo_1", "Alpha", "delta"]],
    ["?sort=username", ["Alpha", "bravo", "charlie", "delta", "echo_1"]],
    ["?sort=username&order=desc", ["echo_1", "delta", "charlie", "bravo", "Alpha"]],
    ["?sort=credits&order=asc", ["delta", "Alpha", "echo_1", "bravo", "charlie"]],
    ["?sort=keys", ["delta", "Alpha", "echo_1", "bravo", "charlie"]],
    ["?search=ALPH", ["Alpha"]],
    ["?search=_", ["echo_1"]],
    ["?status=active&sort=username&limit=2", ["Alpha", "bravo"]],
    ["?status=suspended", []],
  ])("with %s is %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each(["username", "registered", "credits", "keys"])("paged by %s has every reseller once", async (sort) => {
    const paged: string[] = [];
    let next: string | null = `/api/admin/resellers?sort=${sort}&limit=2`;
    while (next) {
      const page = await admin.get(next);
      paged.push(...page.body.map(({ username }: { username: string }) => username));
      next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? null;
    }
    expect(paged).toEqual(await names(`?sort=${sort}`));
  });

  // [1,1] and ["a",1].
  test.each(["sort=username&cursor=WzEsMV0", "sort=credits&cursor=WyJhIiwxXQ"])(
    "refuses a cursor of another sort, and an invalid one: %s",
    async (query) => {
      const { status, body } = await admin.get(`/api/admin/resellers?${query}`);
      expect([status, body.code]).toEqual([422, "INVALID"]);
    },
  );
});

describe("credits", () => {
  test("are whole numbers, and are in the ledger with the admin who added them", async () => {
    const [delta] = resellers as [ResellerClient];
    const response = await admin.post("/api/admin/resellers/credits", { resellerId: delta.id, amount: 7 });
    expect(response.body).toMatchObject({ message: "Credits added successfully", reseller: { credits: 14.5 } });
    const ledger = await panel.database.read`
      SELECT amount_tenths AS amount, balance_tenths AS balance, reason, made_by AS by FROM credit_ledger
      WHERE reseller_id = ${delta.id} ORDER BY id`;
    expect(ledger).toEqual([
      { amount: 100, balance: 100, reason: "token_bonus", by: delta.id },
      { amount: -25, balance: 75, reason: "key_purchase", by: delta.id },
      { amount: 70, balance: 145, reason: "admin_grant", by: 1 },
    ]);
  });

  test("for a missing reseller, or an admin, are a 404", async () => {
    for (const resellerId of [1, 999]) {
      const response = await admin.post("/api/admin/resellers/credits", { resellerId, amount: 1 });
      expect([response.status, response.body.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("never exceed the maximum of a balance", async () => {
    const [, alpha] = resellers as [ResellerClient, ResellerClient];
    await panel.database.transaction(null, async ({ sql }) => {
      await sql`UPDATE resellers SET credits_tenths = 999999999999 WHERE id = ${alpha.id}`;
    });
    const response = await admin.post("/api/admin/resellers/credits", { resellerId: alpha.id, amount: 1 });
    expect([response.status, response.body.code]).toEqual([409, "BALANCE_TOO_LARGE"]);
  });
});

test("a suspended reseller cannot sign in or act until reactivated", async () => {
  const bravo = resellers[3] as ResellerClient;
  const login = { username: "bravo", password: "test-reseller-password" };
  const set = (isActive: boolean) => admin.post(`/api/admin/resellers/${bravo.id}/toggle-status`, { isActive });
  expect((await set(false)).body.reseller.isActive).toBe(false);
  expect((await bravo.get("/api/reseller/profile")).status).toBe(401);
  expect((await panel.newClient().post("/api/auth/reseller/login", login)).status).toBe(403);
  expect((await panel.newClient().post("/api/auth/reseller/login", { ...login, password: "wrong" })).status).toBe(401);
  expect((await set(false)).status).toBe(200);
  await set(true);
  expect((await panel.newClient().post("/api/auth/reseller/login", login)).status).toBe(200);
  expect((await admin.post("/api/admin/resellers/999/toggle-status", { isActive: true })).status).toBe(404);
});

test("the reason of a suspension is visible to admins until it ends, and stays in the audit log", async () => {
  const { id } = resellers[2] as ResellerClient;
  const path = `/api/admin/resellers/${id}`;
  const set = (body: object) => admin.post(`${path}/toggle-status`, body);
  const reasonNow = async () => (await admin.get(path)).body.suspensionReason;
  const sentence = "Reason must be one line of at most 200 characters, without invisible ones";
  for (const [reason, message] of [
    ["x".repeat(201), sentence],
    ["Invoices\u202e of October", `${sentence}; it contains U+202E`],
  ]) {
    const { status, body } = await set({ isActive: false, reason });
    expect([status, body.message]).toEqual([422, message]);
  }
  expect((await set({ isActive: false, reason: " Invoices of 'October' " })).body.reseller).toMatchObject({
    isActive: false,
    suspensionReason: "Invoices of 'October'",
  });
  await set({ isActive: false, reason: "Another one" });
  expect(await reasonNow()).toBe("Invoices of 'October'");
  const [listed] = (await admin.get("/api/admin/resellers?status=suspended")).body;
  expect(listed).toMatchObject({ id, suspensionReason: "Invoices of 'October'" });
  await set({ isActive: true, reason: "Nobody needs one" });
  expect(await reasonNow()).toBeNull();
  await set({ isActive: false, reason: "" });
  expect(await reasonNow()).toBeNull();
  await set({ isActive: true });
  const { body: rows } = await admin.get("/api/admin/audit?action=reseller_suspended&limit=2");
  expect(rows.map(({ details }: { details: object }) => details)).toEqual([
    { resellerId: id, sessions: expect.any(Number) },
    { resellerId: id, sessions: expect.any(Number), reason: "Invoices of 'October'" },
  ]);
});

test("the overview counts resellers, keys, tokens and updates", async () => {
  await admin.post("/api/admin/keys/generate", {
    game: "FREE FIRE",
    deviceLimit: 1,
    expiryDate: "2025-03-11",
    count: 3,
  });
  await admin.post("/api/admin/tokens/generate", {});
  await admin.post("/api/admin/online-updates", { title: "a", message: "b" });
  await admin.post("/api/admin/online-updates", { title: "a", message: "b", isActive: false });
  expect((await admin.get("/api/admin/stats")).body).toEqual({
    totalResellers: 5,
    // Keys of five days, bought a day apart: those of the first reseller have just expired.
    activeKeys: 4 + 3 + 2 + 1 + 3,
    availableTokens: 1,
    activeOnlineUpdates: 1,
    inactiveOnlineUpdates: 1,
    totalAdminKeys: 3,
  });
});
