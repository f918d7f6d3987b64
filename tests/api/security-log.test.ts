import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { getRandomValues } from "node:crypto";
import { newDevicesPerMinuteMax } from "../../src/verify/device-rules.ts";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { adminLogin, type Latchkey, startLatchkey } from "../process.ts";

const proxy = { TRUSTED_PROXIES: "127.0.0.1", RATE_LIMITS: "on" };
const stranger = "203.0.113.7";
/** A text typed into the wrong field, as people do. */
const typed = `typed-${Buffer.from(getRandomValues(new Uint8Array(6))).toString("hex")}`;

let latchkey: Latchkey;
let admin: Client;
let reseller: ResellerClient;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey({ environment: proxy });
  admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "watched" });
});
afterAll(() => latchkey.stop());

/** Waits until an event has this many lines. */
async function linesOf(event: string, count: number): Promise<Record<string, unknown>[]> {
  for (;;) {
    const lines = latchkey
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line))
      .filter((line) => line.event === event);
    if (lines.length >= count) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const from = { "x-forwarded-for": stranger };
const line = (more: object) => ({
  "@timestamp": expect.any(String),
  logger: "latchkey.security",
  address: stranger,
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  ...more,
});

test("a failed sign-in is logged with its address, and with the account if it exists", async () => {
  const login = (form: object) => newClient().post("/api/auth/admin/login", { ...adminLogin, ...form }, from);
  const wrong = await login({ password: "wrong-password" });
  await login({ username: typed });
  const lines = await linesOf("sign_in_failed", 2);
  const failure = { level: "WARN", message: "sign_in_failed", event: "sign_in_failed", code: "WRONG_CREDENTIALS" };
  const route = "POST /api/auth/:role/login";
  expect(lines).toEqual([
    line({ ...failure, account: "admin", route, count: 1 }),
    line({ ...failure, account: null, route, count: 1 }),
  ]);
  expect(lines[0]?.requestId).toBe(wrong.headers.get("x-request-id") as string);
});

test("each 429 and 403 is logged", async () => {
  for (let guess = 0; guess < 21; guess += 1) {
    await newClient().post("/api/verify", { key: `${typed}-${guess}`, deviceId: "phone", game: "FREE FIRE" }, from);
  }
  expect(await linesOf("too_many_tries", 1)).toMatchObject([
    line({ account: null, code: "TOO_MANY_TRIES", route: "POST /api/verify" }),
  ]);

  await reseller.call("GET", "/api/admin/stats", undefined, from);
  await admin.post("/api/admin/tokens/generate", {}, { ...from, origin: "https://evil.example" });
  expect(await linesOf("forbidden", 2)).toMatchObject([
    line({ account: "watched", code: "FORBIDDEN", route: "GET /api/admin/stats" }),
    line({ account: null, code: "CROSS_SITE", route: "POST /api/admin/tokens/generate" }),
  ]);
});

test("suspensions, grants, take-backs and downloads are logged with actor and target", async () => {
  const by = (event: string, more: object) => line({ level: "INFO", event, message: event, account: "admin", ...more });
  const granted = await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 7 }, from);
  const [{ id: ledgerId }] = (await admin.get(`/api/admin/resellers/${reseller.id}/ledger`)).body;
  await admin.post(`/api/admin/resellers/${reseller.id}/credits/take-back`, { ledgerId, amount: 2 }, from);
  for (const isActive of [false, true]) {
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive }, from);
  }
  await admin.call("GET", "/api/admin/backup/download/license_keys", undefined, from);
  await admin.call("GET", "/api/admin/backup/download-all", undefined, from);
  const target = "reseller watched";
  const grants = await linesOf("credit_granted", 1);
  expect(grants).toEqual([by("credit_granted", { target, amount: 7 })]);
  expect(grants[0]?.requestId).toBe(granted.headers.get("x-request-id") as string);
  expect(await linesOf("grant_taken_back", 1)).toEqual([by("grant_taken_back", { target, amount: 2 })]);
  expect(await linesOf("reseller_suspended", 1)).toEqual([by("reseller_suspended", { target })]);
  expect(await linesOf("reseller_reactivated", 1)).toEqual([by("reseller_reactivated", { target })]);
  expect(await linesOf("data_downloaded", 2)).toEqual([
    by("data_downloaded", { target: "collection license_keys" }),
    by("data_downloaded", { target: "all collections" }),
  ]);
});

test("a call whose client is gone before its response is logged with its address", async () => {
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 100, expiryDate, count: 1 };
  const [{ keyString: key }] = (await admin.post("/api/admin/keys/generate", order)).body.keys;
  const ask = (deviceId: string) => ({ key, game: "FREE FIRE", deviceId });
  for (let device = 0; device < newDevicesPerMinuteMax; device += 1) {
    await newClient().post("/api/verify", ask(`phone-${device}`), from);
  }
  const body = JSON.stringify(ask("one-more"));
  const head = ["POST /api/verify HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  const lines = [...head, `Content-Length: ${body.length}`, `X-Forwarded-For: ${stranger}`, "", body];
  const { hostname, port } = new URL(latchkey.url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
  const known = (await linesOf("too_many_tries", 0)).length;
  socket.write(lines.join("\r\n"));
  socket.flush();
  // The refusal is held back for half a second. By the time that other calls have their responses, it has been decided.
  for (let call = 0; call < 5; call += 1) await newClient().get("/healthz");
  socket.terminate();
  expect((await linesOf("too_many_tries", known + 1)).at(-1)).toEqual(
    line({
      level: "WARN",
      message: "too_many_tries",
      event: "too_many_tries",
      account: null,
      count: 1,
      code: "TOO_MANY_TRIES",
      route: "POST /api/verify",
    }),
  );
});

describe("no line contains", () => {
  test("typed keys, passwords, unknown names or cookies", async () => {
    await newClient().post("/api/auth/reseller/login", { username: typed, password: typed }, from);
    await newClient().get(`/api/verify/${typed}/FREE%20FIRE/${typed}`);
    await linesOf("sign_in_failed", 3);
    await linesOf("too_many_tries", 1);
    for (const secret of [typed, adminLogin.password, "wrong-password", admin.cookie().split("=")[1] as string]) {
      expect(latchkey.output()).not.toContain(secret);
    }
  });
});
