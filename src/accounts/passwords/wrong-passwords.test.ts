import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { adminLogin } from "../../../tests/process.ts";
import { msPerDay, msPerMinute } from "../../core/clock.ts";
import { createAdmins } from "../admins.ts";
import { createAuditedChanges } from "../audited-changes.ts";
import { createPasswords } from "./passwords.ts";

const home = "203.0.113.7";
const elsewhere = (index: number) => `198.51.100.${index}`;

let panel: Panel;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
});
afterEach(() => panel.close());

interface Attempt {
  username?: string;
  password?: string;
  role?: string;
  /** The Cookie header. */
  cookie?: string;
}

const login = (address: string, { role = "admin", cookie = "", ...form }: Attempt = {}) =>
  panel.newClient(address).post(`/api/auth/${role}/login`, { ...adminLogin, ...form }, { cookie });
const wrong = { password: "wrong-password" };
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status);
const times = (count: number, status: number) => Array<number>(count).fill(status);

/** Fewer at a time than may wait. */
async function each(count: number, work: (index: number) => ReturnType<typeof login>) {
  const responses: Awaited<ReturnType<typeof login>>[] = [];
  while (responses.length < count) {
    const size = Math.min(10, count - responses.length);
    responses.push(...(await Promise.all(Array.from({ length: size }, (_, index) => work(responses.length + index)))));
  }
  return responses;
}

/** Uses up all tries from unknown addresses: 10, and one each from 20 clean ones. */
const useUpStrangers = (form: { username?: string; role?: string } = {}) =>
  each(30, (index) => login(elsewhere(index), { ...wrong, ...form }));

describe("wrong passwords for one account", () => {
  test.each(["admin", "nobody"])(
    "are limited to 10 in 15 minutes from unknown addresses, and one each from 20 clean ones, even in parallel: %s",
    async (username) => {
      const tries = await Promise.all(
        Array.from({ length: 36 }, (_, index) => login(elsewhere(index), { ...wrong, username })),
      );
      expect(statusesOf(tries).sort()).toEqual([...times(30, 401), ...times(6, 429)]);
      const refused = tries.find(({ status }) => status === 429);
      expect(refused?.body).toEqual({
        code: "TOO_MANY_TRIES",
        message: "Too many wrong passwords. Please try again later.",
      });
      expect(refused?.headers.get("retry-after")).toBe(String(15 * 60));
      expect((await login(elsewhere(99), { username })).status).toBe(429);
      panel.clock.now += 15 * msPerMinute;
      expect((await login(elsewhere(99), { username })).status).toBe(username === "admin" ? 200 : 401);
    },
  );

  test("beyond the limit, an address that has failed for no account may try once", async () => {
    await each(10, () => login(elsewhere(0), wrong));
    await login(elsewhere(1), { ...wrong, username: "another" });
    expect((await login(elsewhere(0))).status).toBe(429);
    expect((await login(elsewhere(1))).status).toBe(429);
    expect((await login(elsewhere(2))).status).toBe(200);
    expect(statusesOf([await login(elsewhere(3), wrong), await login(elsewhere(3))])).toEqual([401, 429]);
    expect(statusesOf(await Promise.all(Array.from({ length: 4 }, () => login(elsewhere(4), wrong)))).sort()).toEqual([
      ...times(1, 401),
      ...times(3, 429),
    ]);
  });

  test("from unknown addresses do not affect the owner at a known address", async () => {
    await login(home);
    await useUpStrangers();
    expect((await login(home)).status).toBe(200);
    expect((await login(elsewhere(50))).status).toBe(429);
  });

  test("are limited to 30 from a known address, after which the right one is refused there too", async () => {
    await login(home);
    await login(elsewhere(1));
    expect(statusesOf(await each(33, () => login(home, wrong)))).toEqual([...times(30, 401), ...times(3, 429)]);
    expect((await login(home)).status).toBe(429);
    expect((await login(elsewhere(1))).status).toBe(200);
    panel.clock.now += 15 * msPerMinute;
    expect((await login(home)).status).toBe(200);
  });

  test("do not include right ones", async () => {
    expect(statusesOf(await each(31, () => login(home)))).toEqual(times(31, 200));
    expect((await login(home, wrong)).status).toBe(401);
  });
});

test("one address may try 60 wrong passwords in 15 minutes for any names; accounts known there are exempt", async () => {
  await login(home);
  const tries = await each(64, (index) => login(home, { ...wrong, username: `name-${index}` }));
  expect(statusesOf(tries)).toEqual([...times(60, 401), ...times(4, 429)]);
  expect((await login(home, wrong)).status).toBe(401);
  expect((await login(home)).status).toBe(200);
  expect((await login(elsewhere(1), { ...wrong, username: "name-1" })).status).toBe(401);
});

test("tries for which the queue is full count for their address", async () => {
  await panel.close();
  panel = await openPanel({ rateLimits: true, behindProxy: true, realPasswordCost: true });
  const tries = Array.from({ length: 60 }, (_, index) => login(home, { ...wrong, username: `name-${index}` }));
  const responses = await Promise.all(tries);
  expect(new Set(statusesOf(responses))).toEqual(new Set([401, 503]));
  const busy = responses.find(({ status }) => status === 503);
  expect([busy?.body.code, busy?.headers.get("retry-after")]).toEqual(["BUSY", "2"]);
  expect((await login(home, { ...wrong, username: "another" })).status).toBe(429);
  expect((await login(elsewhere(1), { ...wrong, username: "another" })).status).toBe(401);
});

test("a password may be sent with its accents apart or not, also one that was hashed as it was sent", async () => {
  const [apart, composed] = ["pa\u0308ssw\u014drd".normalize("NFD"), "p\u00e4ssw\u014drd"];
  const hash = () => panel.database.read<{ hash: string }>`SELECT password_hash AS hash FROM accounts WHERE id = 1`;
  const statusesNow = async () =>
    statusesOf([await login(home, { password: composed }), await login(home, { password: apart })]);
  const options = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
  const old = await Bun.password.hash(apart, options);
  await panel.database.transaction(null, ({ sql }) => sql`UPDATE accounts SET password_hash = ${old} WHERE id = 1`);
  expect(await statusesNow()).toEqual([401, 200]);
  const [rehashed] = await hash();
  expect(await Bun.password.verify(composed, rehashed?.hash as string)).toBe(true);
  expect(await statusesNow()).toEqual([200, 200]);
  expect(await hash()).toEqual([rehashed as { hash: string }]);
});

describe("an address", () => {
  test("stays known for 90 days after the last sign-in from it", async () => {
    await login(home);
    panel.clock.now += 90 * msPerDay - 1;
    await useUpStrangers();
    expect((await login(home)).status).toBe(200);
    panel.clock.now += 90 * msPerDay;
    await useUpStrangers();
    expect((await login(home)).status).toBe(429);
  });

  test("is known only for the account that signed in from it", async () => {
    const admin = await signInAdmin(() => panel.newClient(home));
    const seller = await registerReseller(() => panel.newClient(elsewhere(1)), admin, { username: "seller" });
    const asSeller = (address: string, password: string) =>
      panel.newClient(address).post("/api/auth/reseller/login", { username: seller.username, password });
    await each(30, (index) => asSeller(elsewhere(100 + index), "wrong-password"));
    expect((await asSeller(home, "test-reseller-password")).status).toBe(429);
    expect((await asSeller(elsewhere(1), "test-reseller-password")).status).toBe(200);
  });
});

describe("a browser that signed in before", () => {
  /** Returns its cookies without the session. */
  const signedInBrowser = async (attempt: Attempt = {}) => {
    const { headers, status } = await login(home, attempt);
    expect(status).toBe(200);
    const [, device = ""] = headers.getSetCookie();
    return { cookie: device.split(";")[0] as string, device };
  };

  test("keeps a cookie for 90 days that pages cannot read and other sites cannot send", async () => {
    const { device } = await signedInBrowser();
    expect(device).toStartWith("device=");
    for (const part of ["Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${90 * 24 * 3_600}`])
      expect(device).toContain(part);
  });

  test("has a cookie that is no session", async () => {
    const { cookie } = await signedInBrowser();
    const session = await panel
      .newClient(home)
      .call("GET", "/api/auth/session", undefined, { cookie: `session=${cookie.split("=")[1]}` });
    expect(session.body).toEqual({ isAuthenticated: false });
  });

  test("can sign in from an unknown address whatever strangers do", async () => {
    const { cookie } = await signedInBrowser();
    await useUpStrangers();
    expect((await login(elsewhere(50))).status).toBe(429);
    expect((await login(elsewhere(50), { cookie })).status).toBe(200);
    const forged = `${cookie.slice(0, -2)}xx`;
    expect((await login(elsewhere(51), { cookie: forged })).status).toBe(429);
  });

  test("has 30 tries in 15 minutes, apart from those of its address", async () => {
    const { cookie } = await signedInBrowser();
    const tries = await each(32, () => login(home, { ...wrong, cookie }));
    expect(statusesOf(tries)).toEqual([...times(30, 401), ...times(2, 429)]);
    expect((await login(home)).status).toBe(200);
  });

  test("is known for 90 days after its last sign-in", async () => {
    const { cookie } = await signedInBrowser();
    panel.clock.now += 90 * msPerDay - 1_000;
    await useUpStrangers();
    const again = await login(elsewhere(50), { cookie });
    expect(again.status).toBe(200);
    const renewed = again.headers.getSetCookie()[1]?.split(";")[0] as string;
    panel.clock.now += 90 * msPerDay - 1_000;
    await useUpStrangers();
    expect((await login(elsewhere(60), { cookie })).status).toBe(429);
    expect((await login(elsewhere(60), { cookie: renewed })).status).toBe(200);
    panel.clock.now += 90 * msPerDay;
    await useUpStrangers();
    expect((await login(elsewhere(60), { cookie: renewed })).status).toBe(429);
  });

  test("is known only to the accounts that signed in there", async () => {
    const { cookie } = await signedInBrowser();
    const admin = await signInAdmin(() => panel.newClient(home));
    await registerReseller(() => panel.newClient(elsewhere(99)), admin, { username: "seller" });
    const seller = { role: "reseller", username: "seller", password: "test-reseller-password" };
    await useUpStrangers({ role: "reseller", username: "seller" });
    expect((await login(elsewhere(50), { ...seller, cookie })).status).toBe(429);
  });

  test("is forgotten when the password is changed in another", async () => {
    const { cookie } = await signedInBrowser();
    const owner = await signInAdmin(() => panel.newClient(home));
    const form = { currentPassword: adminLogin.password, newPassword: "another-password" };
    expect((await owner.post("/api/auth/password", form)).status).toBe(200);
    await useUpStrangers();
    const right = { password: "another-password" };
    expect((await login(elsewhere(50), { ...right, cookie })).status).toBe(429);
    expect((await login(elsewhere(50), { ...right, cookie: owner.cookies() })).status).toBe(200);
  });

  test("can change the password from an unknown address whatever strangers do", async () => {
    const owner = await signInAdmin(() => panel.newClient(home));
    await useUpStrangers();
    const away = panel.newClient(elsewhere(0));
    const form = { currentPassword: adminLogin.password, newPassword: "another-password" };
    const change = (cookie: string) => away.post("/api/auth/password", form, { cookie });
    expect((await change(owner.cookie())).status).toBe(429);
    expect((await change(owner.cookies())).status).toBe(200);
  });
});

describe("after a password reset", () => {
  test("by an admin, a reseller can sign in whatever strangers tried, and the browser stays known", async () => {
    const admin = await signInAdmin(() => panel.newClient(home));
    const { id, cookies } = await registerReseller(() => panel.newClient(elsewhere(1)), admin, { username: "seller" });
    const seller = { role: "reseller", username: "seller" };
    const browser = { ...seller, cookie: cookies() };
    await useUpStrangers(seller);
    await each(30, () => login(elsewhere(50), { ...wrong, ...browser }));
    expect((await login(elsewhere(50), { ...wrong, ...browser })).status).toBe(429);
    const { password } = (await admin.post(`/api/admin/resellers/${id}/password`)).body;
    expect((await login(elsewhere(50), { ...seller, password })).status).toBe(200);
    await useUpStrangers(seller);
    expect((await login(elsewhere(1), { ...seller, password })).status).toBe(429);
    expect((await login(elsewhere(60), { ...browser, password })).status).toBe(200);
  });

  test("by the operator, an admin can sign in whatever strangers tried", async () => {
    await useUpStrangers();
    expect((await login(elsewhere(50))).status).toBe(429);
    const { database } = panel;
    const now = () => panel.clock.now;
    const passwords = createPasswords((bytes) => crypto.getRandomValues(bytes));
    const admins = createAdmins({ database, changes: createAuditedChanges({ database, now }), passwords, now });
    await admins.resetPassword(adminLogin.username, "another-password");
    expect((await login(elsewhere(50), { password: "another-password" })).status).toBe(200);
  });
});

/** 41 fill the queue, and the others try again and again, as in a larger flood. */
const flooding = 50;

describe(`while ${flooding} connections try wrong passwords`, () => {
  test.each([
    ["elsewhere", (index: number) => elsewhere(index)],
    ["at the same address, for other names", () => home],
  ])("%s, an account at a known address can sign in", async (_where, addressOf) => {
    const unlimited = await openPanel({ rateLimits: false, behindProxy: true, realPasswordCost: true });
    const signIn = (address: string, username: string, password: string) =>
      unlimited.newClient(address).post("/api/auth/admin/login", { username, password });
    await signIn(home, adminLogin.username, adminLogin.password);
    let isOver = false;
    const flood = Array.from({ length: flooding }, async (_, index) => {
      while (!isOver) await signIn(addressOf(index), `name-${index}`, "wrong-password");
    });
    const responses: { status: number }[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      responses.push(await signIn(home, adminLogin.username, adminLogin.password));
    isOver = true;
    await Promise.all(flood);
    await unlimited.close();
    expect(statusesOf(responses)).toEqual(times(6, 200));
  });
});
