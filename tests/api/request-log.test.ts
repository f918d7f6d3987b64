import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, type NewClient, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

interface Line {
  requestId: string;
  level: string;
  message: string;
}

const idPattern = /^[0-9a-f-]{36}$/;
const verdict = { key: "UNKNOWN-KEY-1234", deviceId: "phone", game: "FREE FIRE" };

/** Waits for the log line of a response. */
async function lineOf(latchkey: Latchkey, requestId: string | null): Promise<Line> {
  for (;;) {
    const line = requestLines(latchkey).find((each) => each.requestId === requestId);
    if (line) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function requestLines(latchkey: Latchkey): Line[] {
  return latchkey
    .output()
    .split("\n")
    .filter((line) => line.includes('"logger":"latchkey.http"') && line.endsWith("}"))
    .map((line) => JSON.parse(line));
}

function idOf({ headers }: { headers: Headers }): string | null {
  return headers.get("x-request-id");
}

describe("at info", () => {
  let latchkey: Latchkey;
  let admin: Client;
  const newClient: NewClient = () => createClient(latchkey.url);
  beforeAll(async () => {
    latchkey = await startLatchkey({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    admin = await signInAdmin(newClient);
  });
  afterAll(() => latchkey.stop());

  test("a write is logged with its route, status, duration, address and account", async () => {
    const response = await admin.post("/api/admin/tokens/generate", {}, { "x-forwarded-for": "203.0.113.9" });
    expect(await lineOf(latchkey, idOf(response))).toMatchObject({
      "@timestamp": expect.any(String),
      level: "INFO",
      message: "POST /api/admin/tokens/generate 201",
      method: "POST",
      route: "/api/admin/tokens/generate",
      status: 201,
      ms: expect.any(Number),
      address: "203.0.113.9",
      account: "admin",
    });
  });

  test("a sign-in is logged with the account", async () => {
    const signedIn = await newClient().post("/api/auth/admin/login", {
      username: "admin",
      password: "test-admin-password",
    });
    expect(await lineOf(latchkey, idOf(signedIn))).toMatchObject({ status: 200, account: "admin" });
  });

  test.each([
    ["a missing page", "GET", "/nothing", undefined, "GET no route 404"],
    ["an unknown call", "GET", "/api/nothing", undefined, "GET no route 404"],
    ["a wrong method", "PATCH", "/api/admin/stats", {}, "PATCH no route 405"],
    ["a call without a session", "GET", "/api/admin/stats", undefined, "GET /api/admin/stats 401"],
    ["an invalid call of a game client", "POST", "/api/verify", {}, "POST /api/verify 422"],
  ])("%s is logged as a failure", async (_what, method, path, body, message) => {
    const response = await newClient().call(method, path, body);
    const line = await lineOf(latchkey, idOf(response));
    expect(line).toMatchObject({
      level: "INFO",
      message,
      status: response.status,
      ms: expect.any(Number),
      account: null,
    });
  });

  test("reads and verdicts are not logged", async () => {
    await admin.get("/api/admin/stats");
    await newClient().get("/");
    await newClient().post("/api/verify", verdict);
    await newClient().get("/api/updates");
    // A later write's line is there, so lines of the earlier requests would be too.
    await lineOf(latchkey, idOf(await admin.post("/api/admin/tokens/generate", {})));
    const messages = requestLines(latchkey).map(({ message }) => message);
    expect(messages.filter((message) => /^GET .* 200$|verify 200/.test(message))).toEqual([]);
  });

  test("failures beyond a hundred lines a second are only counted", async () => {
    const before = requestLines(latchkey).length;
    const client = newClient();
    for (let block = 0; block < 20; block += 1) {
      await Promise.all(Array.from({ length: 50 }, () => client.get("/api/nothing")));
    }
    const logged = () => requestLines(latchkey).slice(before) as (Line & { count: number })[];
    while (logged().reduce((sum, { count }) => sum + count, 0) < 1_000) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(logged().length).toBeLessThan(1_000);
    expect(logged().some(({ count }) => count > 1)).toBe(true);
  });
});

describe("at debug", () => {
  let latchkey: Latchkey;
  beforeAll(async () => {
    latchkey = await startLatchkey({ environment: { LOG_LEVEL: "debug" } });
  });
  afterAll(() => latchkey.stop());

  test.each([
    ["GET", "/", undefined, "GET / 200"],
    ["POST", "/api/verify", verdict, "POST /api/verify 200"],
    ["GET", "/api/updates", undefined, "GET /api/updates 200"],
    ["GET", "/healthz", undefined, "GET /healthz 200"],
  ])("%s %s is logged too", async (method, path, body, message) => {
    const response = await createClient(latchkey.url).call(method, path, body);
    expect(await lineOf(latchkey, idOf(response))).toMatchObject({ level: "DEBUG", message });
  });

  test("no line contains a key or other values from an address", async () => {
    const response = await createClient(latchkey.url).get("/api/verify/SECRET-KEY-1234/FREE%20FIRE/a-phone?q=typed");
    const line = await lineOf(latchkey, idOf(response));
    expect(line.message).toBe("GET /api/verify/:key/:game/:deviceId 200");
    for (const typed of ["SECRET-KEY", "a-phone", "typed"]) expect(latchkey.output()).not.toContain(typed);
  });
});

test("above info, requests are not logged", async () => {
  const latchkey = await startLatchkey({ environment: { LOG_LEVEL: "warning" } });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  await admin.post("/api/admin/tokens/generate", {});
  await admin.get("/nothing");
  await latchkey.stop();
  expect(requestLines(latchkey)).toEqual([]);
});

describe("X-Request-Id", () => {
  let latchkey: Latchkey;
  beforeAll(async () => {
    latchkey = await startLatchkey();
  });
  afterAll(() => latchkey.stop());
  const ask = (method: string, path: string, id?: string, body?: unknown) =>
    createClient(latchkey.url).call(method, path, body, id === undefined ? {} : { "x-request-id": id });

  test.each([
    ["GET", "/"],
    ["GET", "/nothing"],
    ["GET", "/icon.svg"],
    ["GET", "/api/auth/session"],
    ["GET", "/api/admin/stats"],
    ["POST", "/api/verify"],
  ])("for %s %s is generated, or the client's is returned", async (method, path) => {
    expect(idOf(await ask(method, path))).toMatch(idPattern);
    expect(idOf(await ask(method, path, "from-the-proxy_7"))).toBe("from-the-proxy_7");
  });

  test("for verdicts and updates, which are not logged, is returned only if the client sent one", async () => {
    expect(idOf(await ask("POST", "/api/verify", "start-1", verdict))).toBe("start-1");
    expect(idOf(await ask("GET", "/api/updates", "start-2"))).toBe("start-2");
    expect(idOf(await ask("POST", "/api/verify", undefined, verdict))).toBeNull();
  });

  test.each([["x".repeat(65)], ["with space"], ['with"quote'], ["<b>"], ["é"]])(
    "that is invalid is replaced: %s",
    async (id) => {
      expect(idOf(await ask("GET", "/api/nothing", id))).toMatch(idPattern);
      expect(idOf(await ask("POST", "/api/verify", id, verdict))).toBeNull();
    },
  );
});
