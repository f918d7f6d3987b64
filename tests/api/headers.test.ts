import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { openPanel } from "../panel.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

const noFrames = "default-src 'none'; frame-ancestors 'none'";

let latchkey: Latchkey;
let admin: Client;

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(() => createClient(latchkey.url));
});
afterAll(() => latchkey.stop());

describe("a response that is not a page may not load anything or be framed:", () => {
  test.each([
    ["a response", "/api/admin/stats", 200],
    ["a public list", "/api/updates", 200],
    ["a verdict", "/api/verify/UNKNOWN/FREE%20FIRE/phone", 200],
    ["a refusal", "/api/reseller/profile", 403],
    ["an unknown call", "/api/nothing", 404],
    ["a file", "/robots.txt", 200],
    ["an image", "/mark.svg", 200],
    ["the API's document", "/swagger/json", 200],
    ["a download", "/api/admin/backup/download/license_keys", 200],
    ["the health check", "/healthz", 200],
  ])("%s, %s", async (_what, path, status) => {
    const response = await admin.get(path);
    expect([response.status, response.headers.get("content-security-policy")]).toEqual([status, noFrames]);
  });

  test("a script of a page", async () => {
    const page = await createClient(latchkey.url).get("/");
    const [, script = ""] = page.text.match(/src="(\/assets\/[^"]+)"/) ?? [];
    const response = await admin.get(script);
    expect([response.status, response.headers.get("content-security-policy")]).toEqual([200, noFrames]);
  });
});

test.each(["/register", "/nothing", "/swagger", "/admin"])("the page %s has a single policy", async (path) => {
  const reader = path === "/register" ? createClient(latchkey.url) : admin;
  const { headers } = await reader.get(path);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self' 'nonce-[^']+';[^,]*$/);
});

test("with an https PUBLIC_URL, every response has Strict-Transport-Security", async () => {
  const secure = await openPanel({ publicUrl: new URL("https://localhost") });
  for (const path of ["/", "/api/updates", "/api/admin/stats", "/robots.txt", "/nothing"]) {
    expect((await secure.newClient().get(path)).headers.get("strict-transport-security")).toBe("max-age=63072000");
    expect((await createClient(latchkey.url).get(path)).headers.has("strict-transport-security")).toBe(false);
  }
  await secure.close();
});

test("verdicts may not be cached", async () => {
  const client = createClient(latchkey.url);
  const request = { key: "UNKNOWN", deviceId: "phone", game: "FREE FIRE" };
  const responses = [
    await client.post("/api/verify", request),
    await client.get("/api/verify/UNKNOWN/FREE%20FIRE/phone"),
    await client.post("/api/verify", {}),
  ];
  expect(responses.map(({ headers }) => headers.get("cache-control"))).toEqual(Array(3).fill("no-store"));
});

test("pages and people's JSON over 1 KB are gzipped, but no public call, stream, download or secret shown once", async () => {
  const long = "long".repeat(400);
  for (const title of ["One", "Two", "Three"])
    await admin.post("/api/admin/online-updates", { title, message: long.slice(0, 400) });
  const encodingOf = async ([method, path, body]: readonly [method: string, path: string, body?: object]) => {
    const response = await fetch(latchkey.url + path, {
      method,
      headers: { cookie: admin.cookies(), "accept-encoding": "gzip", "content-type": "application/json" },
      body: body && JSON.stringify(body),
      decompress: false,
    });
    const bytes = await response.bytes();
    const encoding = response.headers.get("content-encoding");
    const text = new TextDecoder().decode(encoding === "gzip" ? Bun.gunzipSync(bytes) : bytes);
    expect([path, response.ok, text.length > 1_024]).toEqual([path, true, true]);
    return [encoding, response.headers.get("vary")];
  };
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 50 };
  const webhook = { kind: "standard", url: `https://example.com/${long}`, events: ["order.created"] };
  for (const call of [
    ["POST", "/api/admin/keys/generate", order],
    ["GET", "/api/admin/keys/manage?limit=30"],
    ["GET", "/admin"],
    ["GET", "/k"],
    ["GET", "/swagger"],
  ] as const)
    expect([call[1], ...(await encodingOf(call))]).toEqual([call[1], "gzip", "Accept-Encoding"]);
  for (const call of [
    ["GET", "/api/updates"],
    ["GET", "/api/admin/keys/manage"],
    ["GET", "/api/admin/backup/download/license_keys"],
    ["POST", "/api/admin/webhooks", webhook],
  ] as const)
    expect([call[1], ...(await encodingOf(call))]).toEqual([call[1], null, null]);
});
