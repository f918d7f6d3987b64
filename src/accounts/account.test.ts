import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { adminLogin } from "../../tests/process.ts";
import { msPerDay, msPerMinute } from "../core/clock.ts";
import type { DatabaseEvent } from "../core/events.ts";

const home = "203.0.113.7";
const cafe = "198.51.100.9";

let panel: Panel;
let admin: Client;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
  admin = await signInAdmin(() => panel.newClient(home));
});
afterEach(() => panel.close());

const isSignedIn = async (client: Client) => (await client.get("/api/auth/session")).body.isAuthenticated;
const loginAs = (password: string, address = home) =>
  panel.newClient(address).post("/api/auth/admin/login", { username: adminLogin.username, password });
const sessionsOf = async (client: Client) => (await client.get("/api/auth/sessions")).body;
const newPassword = "a-better-password";

describe("changing one's password", () => {
  const change = (client: Client, form: object = {}) =>
    client.post("/api/auth/password", { currentPassword: adminLogin.password, newPassword, ...form });

  test("ends all other sessions", async () => {
    const other = await signInAdmin(() => panel.newClient(cafe));
    expect((await change(admin)).status).toBe(200);
    expect([await isSignedIn(admin), await isSignedIn(other)]).toEqual([true, false]);
    expect((await loginAs(adminLogin.password)).status).toBe(401);
    expect((await loginAs(newPassword)).status).toBe(200);
  });

  test("forgets all known addresses except the current one", async () => {
    await signInAdmin(() => panel.newClient(cafe));
    await change(admin);
    await Promise.all(Array.from({ length: 30 }, (_, index) => loginAs("wrong-password", `192.0.2.${index}`)));
    expect((await loginAs(newPassword, cafe)).status).toBe(429);
    expect((await loginAs(newPassword, home)).status).toBe(200);
  });

  test("requires the current password, and counts a wrong one", async () => {
    const wrong = await change(admin, { currentPassword: "wrong-password" });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { code: "WRONG_CREDENTIALS", message: "Your current password is wrong." },
    ]);
    expect(await isSignedIn(admin)).toBe(true);
    for (let tries = 1; tries < 29; tries += 1) await change(admin, { currentPassword: "wrong-password" });
    const apiKey = { name: "Shop", scopes: ["verify"], password: "wrong-password" };
    expect((await admin.post("/api/admin/api-keys", apiKey)).status).toBe(401);
    expect((await change(admin)).status).toBe(429);
    const right = await admin.post("/api/admin/api-keys", { ...apiKey, password: adminLogin.password });
    expect(right.status).toBe(429);
    panel.clock.now += 15 * msPerMinute;
    expect((await change(admin)).status).toBe(200);
  });

  test.each([
    [{ newPassword: "12345" }, "Password must be at least 6 characters"],
    [{ newPassword: "x".repeat(257) }, "Password must be at most 256 characters"],
    [{ currentPassword: "" }, "Your current password is required"],
  ])("with %j is refused with a message", async (form, message) => {
    const response = await change(admin, form);
    expect([response.status, response.body.message]).toEqual([422, message]);
  });

  test("succeeds only once if sent twice at the same time", async () => {
    const other = await signInAdmin(() => panel.newClient(cafe));
    const responses = await Promise.all([change(admin), change(other, { newPassword: "the-other-password" })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    const signedIn = await Promise.all([loginAs(newPassword), loginAs("the-other-password")]);
    expect(signedIn.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe("an account's sessions", () => {
  test("are listed newest first, with address and browser", async () => {
    panel.clock.now += msPerDay;
    const phone = panel.newClient(cafe);
    await phone.post("/api/auth/admin/login", adminLogin, { "user-agent": `Phone ${"x".repeat(400)}` });
    const listed = await sessionsOf(admin);
    expect(listed).toEqual([
      {
        id: expect.any(Number),
        current: false,
        createdAt: "2025-03-06T14:30:00.000Z",
        lastSeenAt: "2025-03-06T14:30:00.000Z",
        address: cafe,
        userAgent: `Phone ${"x".repeat(250)}`,
      },
      {
        id: expect.any(Number),
        current: true,
        createdAt: "2025-03-05T14:30:00.000Z",
        lastSeenAt: "2025-03-06T14:30:00.000Z",
        address: home,
        userAgent: expect.stringContaining("Bun"),
      },
    ]);
    const secrets = await panel.database.read<{ secret: string }>`SELECT secret FROM sessions`;
    for (const { secret } of secrets) expect(JSON.stringify(listed)).not.toContain(secret);
  });

  test("are not listed once they have ended", async () => {
    const other = await signInAdmin(() => panel.newClient(cafe));
    panel.clock.now += 6 * msPerDay;
    await admin.get("/api/admin/stats");
    panel.clock.now += msPerDay;
    expect(await sessionsOf(admin)).toHaveLength(1);
    expect(await isSignedIn(other)).toBe(false);
  });

  test("can be ended one by one; ending the current one removes its cookie", async () => {
    const other = await signInAdmin(() => panel.newClient(cafe));
    const [theirs, own] = await sessionsOf(admin);
    expect((await admin.call("DELETE", `/api/auth/sessions/${theirs.id}`)).status).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    expect((await admin.call("DELETE", `/api/auth/sessions/${theirs.id}`)).status).toBe(404);
    expect((await admin.call("DELETE", `/api/auth/sessions/${own.id}`)).status).toBe(200);
    expect([admin.cookie(), await isSignedIn(admin)]).toEqual(["", false]);
  });

  test("can be ended at once, except the current one", async () => {
    const others = [await signInAdmin(() => panel.newClient(cafe)), await signInAdmin(() => panel.newClient(home))];
    expect((await admin.call("DELETE", "/api/auth/sessions")).status).toBe(200);
    expect(await Promise.all([admin, ...others].map(isSignedIn))).toEqual([true, false, false]);
  });

  test("do not include those of other accounts", async () => {
    const seller = await registerReseller(() => panel.newClient(cafe), admin, { username: "seller" });
    const [theirs] = await sessionsOf(admin);
    expect(await sessionsOf(seller)).toHaveLength(1);
    expect((await seller.call("DELETE", `/api/auth/sessions/${theirs.id}`)).status).toBe(404);
    await seller.call("DELETE", "/api/auth/sessions");
    expect(await isSignedIn(admin)).toBe(true);
  });

  test("are at most 100: one more ends the oldest, and its open page is told", async () => {
    const [oldest] = await sessionsOf(admin);
    const second = await signInAdmin(() => panel.newClient(cafe));
    const ended = Promise.withResolvers<DatabaseEvent>();
    panel.database.subscribe({ event: ended.resolve, missed: () => {} });
    await panel.database.transaction(null, async ({ sql }) => {
      for (let session = 2; session < 100; session += 1) {
        await sql`
          INSERT INTO sessions (secret, account_id, created_at, last_seen_at)
          SELECT ${`secret ${session}`}, account_id, created_at, last_seen_at FROM sessions WHERE id = ${oldest.id}`;
      }
    });
    expect([await isSignedIn(admin), (await sessionsOf(admin)).length]).toEqual([true, 100]);
    const newest = await signInAdmin(() => panel.newClient(cafe));
    expect(await ended.promise).toEqual({ about: "sessions", ended: [oldest.id] });
    expect(await Promise.all([admin, second, newest].map(isSignedIn))).toEqual([false, true, true]);
    expect(await sessionsOf(newest)).toHaveLength(100);
  });

  test("do not accumulate in one browser: signing in ends its previous session, unless it is refused", async () => {
    const before = admin.cookie();
    await admin.post("/api/auth/admin/login", { ...adminLogin, password: "wrong-password" });
    expect(await isSignedIn(admin)).toBe(true);
    await admin.post("/api/auth/admin/login", adminLogin);
    expect(admin.cookie()).not.toBe(before);
    expect(await sessionsOf(admin)).toHaveLength(1);
    const old = await panel.newClient().call("GET", "/api/auth/session", undefined, { cookie: before });
    expect(old.body).toEqual({ isAuthenticated: false });
  });
});

describe("an admin's help for a reseller", () => {
  let seller: ResellerClient;
  beforeEach(async () => {
    seller = await registerReseller(() => panel.newClient(cafe), admin, { username: "seller" });
  });
  const login = (password: string, address = cafe) =>
    panel.newClient(address).post("/api/auth/reseller/login", { username: "seller", password });

  test("a password reset invalidates the old password, the sessions and the known addresses", async () => {
    const { status, body } = await admin.post(`/api/admin/resellers/${seller.id}/password`);
    expect([status, Object.keys(body)]).toEqual([200, ["password"]]);
    expect(await isSignedIn(seller)).toBe(false);
    expect((await login("test-reseller-password", home)).status).toBe(401);
    expect((await login(body.password, home)).status).toBe(200);
    await Promise.all(Array.from({ length: 30 }, (_, index) => login("wrong-password", `192.0.2.${index}`)));
    expect((await login(body.password, cafe)).status).toBe(429);
  });

  test("ending all sessions keeps the password", async () => {
    expect((await admin.call("DELETE", `/api/admin/resellers/${seller.id}/sessions`)).status).toBe(200);
    expect(await isSignedIn(seller)).toBe(false);
    expect((await login("test-reseller-password")).status).toBe(200);
  });

  test("does not apply to other accounts", async () => {
    for (const id of [1, 999]) {
      expect((await admin.post(`/api/admin/resellers/${id}/password`)).status).toBe(404);
      expect((await admin.call("DELETE", `/api/admin/resellers/${id}/sessions`)).status).toBe(404);
    }
    expect(await isSignedIn(admin)).toBe(true);
  });
});
