import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { adminLogin } from "../../tests/process.ts";
import { msPerDay } from "../core/clock.ts";

let panel: Panel;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true });
});
afterEach(() => panel.close());

const login = (
  client: ReturnType<Panel["newClient"]>,
  password = adminLogin.password,
  username = adminLogin.username,
) => client.post("/api/auth/admin/login", { username, password });

describe("a session", () => {
  test("ends after 7 days without use", async () => {
    const admin = await signInAdmin(panel.newClient);
    for (let day = 0; day < 3; day += 1) {
      panel.clock.now += 6 * msPerDay;
      expect((await admin.get("/api/admin/stats")).status).toBe(200);
    }
    panel.clock.now += 7 * msPerDay;
    expect((await admin.get("/api/admin/stats")).status).toBe(401);
    expect((await admin.get("/api/auth/session")).body).toEqual({ isAuthenticated: false });
  });

  test("ends after 30 days even if it is used", async () => {
    const admin = await signInAdmin(panel.newClient);
    for (let day = 0; day < 29; day += 1) {
      panel.clock.now += msPerDay;
      expect((await admin.get("/api/admin/stats")).status).toBe(200);
    }
    panel.clock.now += msPerDay;
    expect((await admin.get("/api/admin/stats")).status).toBe(401);
  });

  test("ends at logout, also for copies of its cookie", async () => {
    const admin = await signInAdmin(panel.newClient);
    const cookie = admin.cookie();
    expect((await admin.post("/api/auth/logout")).body).toEqual({ message: "Logged out successfully" });
    expect(admin.cookie()).toBe("");
    expect((await panel.newClient().call("GET", "/api/admin/stats", undefined, { cookie })).status).toBe(401);
  });
});

describe("a cookie", () => {
  test("is HttpOnly and SameSite=Lax, and contains only a session id", async () => {
    const response = await login(panel.newClient());
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const claims = JSON.parse(Buffer.from(cookie.split(".")[1] ?? "", "base64url").toString());
    expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "iss", "jti"]);
  });

  test("on https is __Host- and Secure", async () => {
    const secure = await openPanel({ publicUrl: new URL("https://localhost") });
    const response = await login(secure.newClient());
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-session=[^;]+; Path=\/; .*Secure/);
    await secure.close();
  });

  test("is found behind another application's cookie of the same name", async () => {
    const admin = await signInAdmin(panel.newClient);
    const cookie = `session=of-another; other=1; ${admin.cookie()}; session=`;
    expect((await panel.newClient().call("GET", "/api/admin/stats", undefined, { cookie })).status).toBe(200);
  });

  test("with a wrong signature is not accepted", async () => {
    const admin = await signInAdmin(panel.newClient);
    const [header = "", payload = "", signature = ""] = admin.cookie().replace("session=", "").split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    // From here on the server has cached the valid one.
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
    const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = [
      `${coded({ alg: "none" })}.${payload}.`,
      `${header}.${coded({ ...claims, aud: "another" })}.${signature}`,
      `${header}.${payload}.${signature.split("").reverse().join("")}`,
      `${coded({ alg: "HS512", typ: "JWT" })}.${payload}.${signature}`,
      claims.jti,
    ];
    for (const token of forged) {
      const response = await panel
        .newClient()
        .call("GET", "/api/admin/stats", undefined, { cookie: `session=${token}` });
      expect(response.status).toBe(401);
    }
  });
});

describe("a login", () => {
  test("has the same response for a wrong password, an unknown name and a name of the other role", async () => {
    const admin = await signInAdmin(panel.newClient);
    await registerReseller(panel.newClient, admin, { username: "seller" });
    const responses = await Promise.all([
      login(panel.newClient(), "wrong-password"),
      login(panel.newClient(), "test-reseller-password", "seller"),
      login(panel.newClient(), "wrong-password", "nobody"),
    ]);
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(401);
  });

  test("ignores the case of the name", async () => {
    expect((await login(panel.newClient(), adminLogin.password, "ADMIN")).body.user.username).toBe("admin");
  });
});
