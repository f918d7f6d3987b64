import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { adminLogin } from "../../../tests/process.ts";
import { msPerDay, msPerMinute } from "../../core/clock.ts";

const home = "203.0.113.7";
const elsewhere = (index: number) => `198.51.100.${index}`;

let panel: Panel;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
});
afterEach(() => panel.close());

const login = (address: string, form: { username?: string; password?: string } = {}) =>
  panel.newClient(address).post("/api/auth/admin/login", { ...adminLogin, ...form });
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

describe("wrong passwords for one account", () => {
  test.each(["admin", "nobody"])(
    "are limited to 10 in 15 minutes from all unknown addresses together, even in parallel: %s",
    async (username) => {
      const tries = await Promise.all(
        Array.from({ length: 16 }, (_, index) => login(elsewhere(index), { ...wrong, username })),
      );
      expect(statusesOf(tries).sort()).toEqual([...times(10, 401), ...times(6, 429)]);
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

  test("from unknown addresses do not affect the owner at a known address", async () => {
    await login(home);
    expect((await each(12, (index) => login(elsewhere(index), wrong)))[11]?.status).toBe(429);
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
  const tries = Array.from({ length: 60 }, (_, index) => login(home, { ...wrong, username: `name-${index}` }));
  const statuses = statusesOf(await Promise.all(tries));
  expect(statuses).toContain(503);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect((await login(home, { ...wrong, username: "another" })).status).toBe(429);
  expect((await login(elsewhere(1), { ...wrong, username: "another" })).status).toBe(401);
});

describe("an address", () => {
  test("stays known for 90 days after the last sign-in from it", async () => {
    await login(home);
    panel.clock.now += 90 * msPerDay - 1;
    await each(11, (index) => login(elsewhere(index), wrong));
    expect((await login(home)).status).toBe(200);
    panel.clock.now += 90 * msPerDay;
    await each(11, (index) => login(elsewhere(index), wrong));
    expect((await login(home)).status).toBe(429);
  });

  test("is known only for the account that signed in from it", async () => {
    const admin = await signInAdmin(() => panel.newClient(home));
    const seller = await registerReseller(() => panel.newClient(elsewhere(1)), admin, { username: "seller" });
    const asSeller = (address: string, password: string) =>
      panel.newClient(address).post("/api/auth/reseller/login", { username: seller.username, password });
    await each(11, (index) => asSeller(elsewhere(100 + index), "wrong-password"));
    expect((await asSeller(home, "test-reseller-password")).status).toBe(429);
    expect((await asSeller(elsewhere(1), "test-reseller-password")).status).toBe(200);
  });
});

describe("while 70 connections try wrong passwords", () => {
  test.each([
    ["elsewhere", (index: number) => elsewhere(index)],
    ["at the same address, for other names", () => home],
  ])("%s, an account at a known address can sign in", async (_where, addressOf) => {
    const unlimited = await openPanel({ rateLimits: false, behindProxy: true });
    const signIn = (address: string, username: string, password: string) =>
      unlimited.newClient(address).post("/api/auth/admin/login", { username, password });
    await signIn(home, adminLogin.username, adminLogin.password);
    let isOver = false;
    const flood = Array.from({ length: 70 }, async (_, index) => {
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
