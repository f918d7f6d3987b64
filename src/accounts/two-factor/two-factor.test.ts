import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { adminLogin } from "../../../tests/process.ts";
import { msPerMinute, msPerSecond } from "../../core/clock.ts";

const stepMs = 30 * msPerSecond;
const { password } = adminLogin;

let panel: Panel;
let admin: Client;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
  admin = await signInAdmin(panel.newClient);
});
afterEach(() => panel.close());

const login = (code?: string, address?: string) =>
  panel.newClient(address).post("/api/auth/admin/login", { ...adminLogin, ...(code !== undefined && { code }) });
const codeOf = ({ body }: { body: { code: string } }) => body.code;
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

/** The code of an authenticator app, this many steps from now. */
function authenticator(uri: string) {
  const totp = URI.parse(uri) as TOTP;
  return (stepsOff = 0) => totp.generate({ timestamp: panel.clock.now + stepsOff * stepMs });
}

async function turnOn(client: Client, own = password) {
  const { body: setup } = await client.post("/api/auth/two-factor", { password: own });
  const code = authenticator(setup.uri);
  const { body } = await client.post("/api/auth/two-factor/confirm", { code: code() });
  return { setup, code, recoveryCodes: body.recoveryCodes as string[] };
}

describe("setting up", () => {
  test("takes effect once a code is confirmed, and then returns ten recovery codes", async () => {
    expect((await admin.get("/api/auth/two-factor")).body).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    const { body: setup } = await admin.post("/api/auth/two-factor", { password });
    expect(setup).toEqual({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/), uri: expect.any(String) });
    expect(URI.parse(setup.uri)).toMatchObject({ issuer: "Latchkey", label: "admin", digits: 6, period: 30 });
    expect(URI.parse(setup.uri).secret.base32).toBe(setup.secret);
    expect((await admin.get("/api/auth/two-factor")).body.enabled).toBe(false);
    expect((await login()).status).toBe(200);

    const wrong = await admin.post("/api/auth/two-factor/confirm", { code: authenticator(setup.uri)(-2) });
    expect([wrong.status, codeOf(wrong)]).toEqual([401, "WRONG_SECOND_FACTOR"]);
    const right = await admin.post("/api/auth/two-factor/confirm", { code: authenticator(setup.uri)() });
    expect(right.body.recoveryCodes).toHaveLength(10);
    expect(new Set(right.body.recoveryCodes).size).toBe(10);
    for (const code of right.body.recoveryCodes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect((await admin.get("/api/auth/two-factor")).body).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test("can be restarted, which invalidates the previous secret", async () => {
    const first = await admin.post("/api/auth/two-factor", { password });
    const second = await admin.post("/api/auth/two-factor", { password });
    const confirm = (uri: string) => admin.post("/api/auth/two-factor/confirm", { code: authenticator(uri)() });
    expect((await confirm(first.body.uri)).status).toBe(401);
    expect((await confirm(second.body.uri)).status).toBe(200);
  });

  test("is refused if it was not started, is already on, or the password is wrong", async () => {
    const early = await admin.post("/api/auth/two-factor/confirm", { code: "123456" });
    expect([early.status, codeOf(early)]).toEqual([409, "TWO_FACTOR_NOT_BEGUN"]);
    const wrong = await admin.post("/api/auth/two-factor", { password: "wrong-password" });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { code: "WRONG_CREDENTIALS", message: "Your current password is wrong." },
    ]);
    const { code } = await turnOn(admin);
    for (const again of [
      await admin.post("/api/auth/two-factor", { password }),
      await admin.post("/api/auth/two-factor/confirm", { code: code(1) }),
    ]) {
      expect([again.status, codeOf(again)]).toEqual([409, "TWO_FACTOR_ON"]);
    }
  });

  test("returns recovery codes once if confirmed twice at the same time", async () => {
    const { body: setup } = await admin.post("/api/auth/two-factor", { password });
    const code = authenticator(setup.uri)();
    const confirm = () => admin.post("/api/auth/two-factor/confirm", { code });
    expect(statusesOf(await Promise.all([confirm(), confirm(), confirm()]))).toEqual([200, 409, 409]);
    expect((await admin.get("/api/auth/two-factor")).body.recoveryCodesLeft).toBe(10);
  });
});

describe("with two-factor on, a sign-in", () => {
  test("asks for the code after the right password only", async () => {
    await turnOn(admin);
    const needed = await login();
    expect([needed.status, codeOf(needed), needed.headers.getSetCookie()]).toEqual([401, "SECOND_FACTOR_NEEDED", []]);
    const wrong = { ...adminLogin, password: "wrong-password" };
    const responses = [wrong, { ...wrong, code: "123456" }, { ...wrong, username: "nobody" }].map((form) =>
      panel.newClient().post("/api/auth/admin/login", form),
    );
    const bodies = (await Promise.all(responses)).map(({ status, text }) => `${status} ${text}`);
    expect(new Set(bodies)).toEqual(
      new Set(['401 {"message":"Invalid username or password","code":"WRONG_CREDENTIALS"}']),
    );
  });

  test("accepts the current code and its neighbours, but not the one used to confirm", async () => {
    const { code } = await turnOn(admin);
    expect(codeOf(await login(code()))).toBe("WRONG_SECOND_FACTOR");
    expect(codeOf(await login(code(2)))).toBe("WRONG_SECOND_FACTOR");
    const ahead = code(1);
    expect((await login(`${ahead.slice(0, 3)} ${ahead.slice(3)}`)).status).toBe(200);
    panel.clock.now += 3 * stepMs;
    expect((await login(code(-1))).status).toBe(200);
    expect((await login(code())).status).toBe(200);
    expect(codeOf(await login(code(-1)))).toBe("WRONG_SECOND_FACTOR");
  });

  test("accepts a code in the digits of another script, with a dash and invisible marks", async () => {
    const { code } = await turnOn(admin);
    panel.clock.now += stepMs;
    const arabic = code().replace(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    expect((await login(`\u2067${arabic.slice(0, 3)}\u2013${arabic.slice(3)}\u2069`)).status).toBe(200);
  });

  test("accepts a code once, even if it is sent ten times at once", async () => {
    const { code, recoveryCodes } = await turnOn(admin);
    panel.clock.now += stepMs;
    for (const each of [code(), recoveryCodes[0] as string]) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => login(each)));
      expect(statusesOf(responses)).toEqual([200, ...Array<number>(9).fill(401)]);
    }
  });

  test("accepts each recovery code once, in any spelling", async () => {
    const { recoveryCodes } = await turnOn(admin);
    const [first = "", second = "", third = ""] = recoveryCodes;
    expect((await login(first.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    expect(codeOf(await login(first))).toBe("WRONG_SECOND_FACTOR");
    expect((await login(second.replaceAll("0", "o").replaceAll("1", "l"))).status).toBe(200);
    expect((await login(`\u200f${third.replaceAll("-", "\u2013")}\u2069`)).status).toBe(200);
    expect((await admin.get("/api/auth/two-factor")).body.recoveryCodesLeft).toBe(7);
    expect(codeOf(await login("PRB7-M944-GC2Y-DX1G"))).toBe("WRONG_SECOND_FACTOR");
  });

  test("counts a wrong code like a wrong password, but not the right password without a code", async () => {
    const { code } = await turnOn(admin);
    for (let tries = 0; tries < 32; tries += 1) expect((await login()).status).toBe(401);
    const elsewhere = await Promise.all(
      Array.from({ length: 32 }, (_, index) => login("000000", `203.0.113.${index}`)),
    );
    expect(statusesOf(elsewhere)).toEqual([...Array<number>(30).fill(401), 429, 429]);
    panel.clock.now += stepMs;
    expect((await login(code(), "203.0.113.50")).status).toBe(429);
    expect((await login(code())).status).toBe(200);
  });

  test("reports a suspension only after the second factor, which is used up", async () => {
    const seller = await registerReseller(panel.newClient, admin, { username: "seller" });
    const own = "test-reseller-password";
    const { code } = await turnOn(seller, own);
    await admin.post(`/api/admin/resellers/${seller.id}/toggle-status`, { isActive: false });
    panel.clock.now += stepMs;
    const signIn = (given?: string) =>
      panel.newClient().post("/api/auth/reseller/login", { username: "seller", password: own, code: given });
    expect(codeOf(await signIn())).toBe("SECOND_FACTOR_NEEDED");
    expect(codeOf(await signIn("000000"))).toBe("WRONG_SECOND_FACTOR");
    expect(codeOf(await signIn(code()))).toBe("SUSPENDED");
    expect(codeOf(await signIn(code()))).toBe("WRONG_SECOND_FACTOR");
  });
});

test("counts wrong passwords and codes of signed-in accounts too", async () => {
  await admin.post("/api/auth/two-factor", { password });
  for (let tries = 0; tries < 15; tries += 1) {
    expect((await admin.post("/api/auth/two-factor/confirm", { code: "000000" })).status).toBe(401);
    expect((await admin.call("DELETE", "/api/auth/two-factor", { password: "wrong-password" })).status).toBe(401);
  }
  const refused = [
    await admin.post("/api/auth/two-factor/confirm", { code: "000000" }),
    await admin.call("DELETE", "/api/auth/two-factor", { password }),
    await admin.post("/api/auth/password", { currentPassword: password, newPassword: "another-password" }),
    await admin.post("/api/auth/admin/login", adminLogin),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
  panel.clock.now += 15 * msPerMinute;
  expect((await login()).status).toBe(200);
});

test("turning two-factor off requires the password and deletes the codes; it can be set up again", async () => {
  const { code, recoveryCodes } = await turnOn(admin);
  expect((await admin.call("DELETE", "/api/auth/two-factor", { password: "wrong-password" })).status).toBe(401);
  expect((await login()).status).toBe(401);
  expect((await admin.call("DELETE", "/api/auth/two-factor", { password })).status).toBe(200);
  expect((await admin.call("DELETE", "/api/auth/two-factor", { password })).status).toBe(200);
  expect((await admin.get("/api/auth/two-factor")).body).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  expect((await login()).status).toBe(200);
  const second = await turnOn(admin);
  panel.clock.now += stepMs;
  expect(codeOf(await login(code()))).toBe("WRONG_SECOND_FACTOR");
  expect(codeOf(await login(recoveryCodes[0]))).toBe("WRONG_SECOND_FACTOR");
  expect((await login(second.code())).status).toBe(200);
});

test("an admin's reset gives a reseller a new password and turns two-factor off", async () => {
  const seller: ResellerClient = await registerReseller(panel.newClient, admin, { username: "seller" });
  await turnOn(seller, "test-reseller-password");
  const { body } = await admin.post(`/api/admin/resellers/${seller.id}/password`);
  expect(body).toEqual({ password: expect.stringMatching(/^[a-zA-Z2-9]{20}$/) });
  const login = { username: "seller", password: body.password };
  expect((await panel.newClient().post("/api/auth/reseller/login", login)).status).toBe(200);
});

test("the database contains neither the secret nor the recovery codes in plain text", async () => {
  const { setup, recoveryCodes } = await turnOn(admin);
  const rows = await panel.database.read`SELECT * FROM two_factor, recovery_codes`;
  const kept = JSON.stringify(rows);
  expect(rows).toHaveLength(10);
  expect(kept).not.toContain(setup.secret);
  for (const code of recoveryCodes) expect(kept).not.toContain(code);
});
