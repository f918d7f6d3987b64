import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

let latchkey: Latchkey;
let admin: Client;
let reseller: ResellerClient;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "requester", credits: 5 });
});
afterAll(() => latchkey.stop());

describe("access is checked before the input", () => {
  const bad: [string, string, Record<string, string>][] = [
    ["a wrong shape", "{}", { "content-type": "application/json" }],
    ["broken JSON", "{", { "content-type": "application/json" }],
    ["a form", "a=1", { "content-type": "application/x-www-form-urlencoded" }],
    ["a body that is too large", `"${"x".repeat(70_000)}"`, { "content-type": "application/json" }],
  ];
  const expected: Record<string, number> = {
    "a wrong shape": 422,
    "broken JSON": 400,
    "a form": 415,
    "a body that is too large": 413,
  };

  test.each(bad)(
    "%s is a 401 without a session, a 403 with the wrong role, and an input error for an admin",
    async (what, body, headers) => {
      const path = "/api/admin/resellers/credits";
      expect((await newClient().call("POST", path, body, headers)).status).toBe(401);
      expect((await reseller.call("POST", path, body, headers)).status).toBe(403);
      const response = await admin.call("POST", path, body, headers);
      expect(response.status).toBe(expected[what] as number);
      expect(response.body).toMatchObject({ message: expect.any(String), code: expect.any(String) });
    },
  );
});

describe("a call from another site", () => {
  const foreign: [string, Record<string, string>][] = [
    ["a cross-site page", { "sec-fetch-site": "cross-site" }],
    ["a same-site page", { "sec-fetch-site": "same-site" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the null origin", { origin: "null" }],
  ];
  const types = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
  ];

  test.each(foreign)("%s cannot make an unsafe call, whatever it sends", async (_what, headers) => {
    for (const type of types) {
      const response = await admin.call("POST", "/api/admin/tokens/generate", "{}", {
        ...headers,
        "content-type": type,
      });
      expect([response.status, response.body.code]).toEqual([403, "CROSS_SITE"]);
    }
  });

  test("the panel's own pages can, and so can clients other than browsers", async () => {
    const own = { "sec-fetch-site": "same-origin", origin: latchkey.url };
    expect((await admin.post("/api/admin/tokens/generate", {}, own)).status).toBe(201);
    expect((await admin.post("/api/admin/tokens/generate", {}, { origin: latchkey.url })).status).toBe(201);
    expect((await admin.post("/api/admin/tokens/generate", {})).status).toBe(201);
  });

  test("any site may verify", async () => {
    const headers = { origin: "https://game.example", "sec-fetch-site": "cross-site" };
    const response = await newClient().post("/api/verify", { key: "X", deviceId: "d", game: "FREE FIRE" }, headers);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(response.headers.get("access-control-expose-headers")).toBe("Retry-After, ETag, Link");
    const preflight = await newClient().call("OPTIONS", "/api/verify", undefined, headers);
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
  });
});

describe("invalid input gets the specified message:", () => {
  const wrong: [string, string, unknown, string][] = [
    ["POST", "/api/auth/admin/login", { password: "x" }, "Username is required"],
    ["POST", "/api/auth/admin/login", { username: "x", password: "" }, "Password is required"],
    [
      "POST",
      "/api/auth/reseller/register",
      { username: "ab", password: "secret1", referralToken: "t" },
      "Username must be at least 3 characters",
    ],
    [
      "POST",
      "/api/auth/reseller/register",
      { username: "abc", password: "12345", referralToken: "t" },
      "Password must be at least 6 characters",
    ],
    ["POST", "/api/auth/reseller/register", { username: "abc", password: "123456" }, "Referral token is required"],
    ["POST", "/api/admin/resellers/credits", { amount: 5 }, "Please select a reseller"],
    ["POST", "/api/admin/resellers/credits", { resellerId: 2 }, "Amount is required"],
    ["POST", "/api/admin/resellers/credits", { resellerId: 2, amount: "5" }, "A whole number of credits, please."],
    ["POST", "/api/admin/resellers/credits", { resellerId: 2, amount: 0 }, "Amount must be at least 1"],
    [
      "POST",
      "/api/admin/keys/generate",
      { deviceLimit: 1, expiryDate: "2030-01-01", count: 1 },
      "Game selection is required",
    ],
    [
      "POST",
      "/api/admin/keys/generate",
      { game: "FREE FIRE", expiryDate: "2030-01-01", count: 1 },
      "Device limit is required",
    ],
    [
      "POST",
      "/api/admin/keys/generate",
      { game: "FREE FIRE", deviceLimit: 1, expiryDate: "2030-01-01", count: 0 },
      "Must generate at least 1 key",
    ],
    [
      "POST",
      "/api/admin/keys/generate",
      { game: "FREE FIRE", deviceLimit: 1, expiryDate: "yesterday", count: 1 },
      "Expiry date must be an ISO date or date-time",
    ],
    ["POST", "/api/admin/tokens/generate", { credits: -1 }, "Credits must be at least 0"],
    ["POST", "/api/admin/tokens/generate", { credits: 0.25 }, "Credits may have at most one decimal"],
    ["POST", "/api/admin/online-updates", { message: "m" }, "Title is required"],
    [
      "POST",
      "/api/admin/online-updates",
      { title: "t".repeat(100), message: "m" },
      "Title must be less than 100 characters",
    ],
    ["POST", "/api/admin/online-updates", { title: "t", message: " " }, "Message is required"],
    [
      "POST",
      "/api/admin/online-updates",
      { title: "t", message: "m".repeat(500) },
      "Message must be less than 500 characters",
    ],
    [
      "POST",
      "/api/admin/online-updates",
      { title: "t", message: "m", buttonText: "b" },
      "Link URL is required when button text is provided",
    ],
    [
      "POST",
      "/api/admin/online-updates",
      { title: "t", message: "m", linkUrl: "javascript:alert(1)" },
      "Please enter a valid URL",
    ],
  ];

  test.each(wrong)("%s %s with %j", async (method, path, body, message) => {
    const response = await admin.call(method, path, body);
    expect([response.status, response.body.code, response.body.message]).toEqual([422, "INVALID", message]);
    expect(response.body.errors[0].message).toBe(message);
  });

  test.each(["/api/admin/keys/manage", "/api/admin/resellers", "/api/admin/tokens"])("a search of %s", async (list) => {
    const response = await admin.get(`${list}?search=${"x".repeat(129)}`);
    expect([response.status, response.body.message]).toEqual([422, "Search text must be at most 128 characters"]);
  });

  const wrongPurchases: [unknown, number, string, string][] = [
    [{ game: "FREE FIRE", deviceLimit: 1, count: 1 }, 422, "INVALID", "Day selection is required"],
    [{ game: "FREE FIRE", deviceLimit: 1, days: 7, count: 1 }, 422, "INVALID_DAY_TIER", "Invalid day tier selected"],
    [{ game: "FREE FIRE", deviceLimit: 5, days: 5, count: 1 }, 422, "INVALID", "Device limit must be one of 1, 2, 100"],
    [
      { game: "FREE FIRE", deviceLimit: 1, days: 60, count: 1, resellerId: 999 },
      403,
      "FORBIDDEN",
      "You can generate keys only for your own account.",
    ],
    [
      { game: "FREE FIRE", deviceLimit: 1, days: 60, count: 1 },
      402,
      "CREDITS_SHORT",
      "You need 1.0 more credits to generate 1 key(s).",
    ],
  ];

  test.each(wrongPurchases)("a purchase of %j", async (order, status, code, message) => {
    const response = await reseller.post("/api/reseller/keys/generate", order);
    expect([response.status, response.body.code, response.body.message]).toEqual([status, code, message]);
    expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(5);
  });

  test("a submitted password is never in the response", async () => {
    const response = await newClient().post("/api/auth/admin/login", { username: 5, password: "hunter2-secret" });
    expect(response.status).toBe(422);
    expect(response.text).not.toContain("hunter2");
  });
});

describe("an address or a method that does not exist", () => {
  test("is a 404, in JSON below /api and as a page elsewhere", async () => {
    const call = await newClient().get("/api/nothing");
    expect([call.status, call.body.code]).toEqual([404, "NOT_FOUND"]);
    const page = await newClient().get("/nothing");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.text).toContain("404 Page Not Found");
  });

  test("is a 405 that lists the allowed methods", async () => {
    const response = await admin.call("PATCH", "/api/admin/stats", {});
    expect([response.status, response.body.code, response.headers.get("allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "GET, HEAD",
    ]);
  });

  test.each(["abc", "0", "-1", "1e3", "99999999999999999999", "%00"])("is a 404 for the id %s", async (id) => {
    expect((await admin.call("DELETE", `/api/admin/keys/${id}`)).status).toBe(404);
  });
});

test("an invalid verification has valid: false", async () => {
  const client = newClient();
  const bodies: [unknown, number][] = [
    [{}, 422],
    [{ key: "A", deviceId: "has space", game: "FREE FIRE" }, 422],
    [{ key: "A", deviceId: "d", game: "CHESS" }, 422],
    ["{", 400],
    ["[]", 422],
  ];
  for (const [body, status] of bodies) {
    const response = await client.post("/api/verify", body);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ valid: false, code: expect.any(String), message: expect.any(String) });
  }
  const form = await client.call("POST", "/api/verify", "a=1", { "content-type": "application/x-www-form-urlencoded" });
  expect([form.status, form.body.valid]).toEqual([415, false]);
  const get = await client.get("/api/verify/KEY/CHESS/phone");
  expect([get.status, get.body.valid]).toEqual([422, false]);
});

test("responses to people may not be cached", async () => {
  for (const path of ["/api/auth/session", "/api/admin/stats"]) {
    expect((await admin.get(path)).headers.get("cache-control")).toBe("no-store");
  }
  const stranger = newClient();
  const refused = await Promise.all([
    stranger.get("/api/admin/stats"),
    stranger.get("/api/admin/nothing"),
    stranger.get("/api/auth/nothing"),
    stranger.call("PATCH", "/api/admin/stats"),
    stranger.call("OPTIONS", "/api/admin/stats"),
    stranger.call("DELETE", "/api/reseller/keys"),
  ]);
  expect(refused.map(({ headers }) => headers.get("cache-control"))).toEqual(Array(6).fill("no-store"));
});

test("active updates have an ETag, and unchanged ones are not sent again", async () => {
  await admin.post("/api/admin/online-updates", { title: "Seen", message: "by all" });
  await admin.post("/api/admin/online-updates", { title: "Hidden", message: "from all", isActive: false });
  const first = await newClient().get("/api/updates");
  expect(first.body.map(({ title }: { title: string }) => title)).toEqual(["Seen"]);
  const etag = first.headers.get("etag") ?? "";
  // As clients have it from the server, or from proxies that compress.
  for (const held of [etag, `W/${etag}`, etag.replace(/"$/, '-gzip"'), `"another", W/${etag.replace(/"$/, ';br"')}`]) {
    const again = await newClient().call("GET", "/api/updates", undefined, { "if-none-match": held });
    expect([again.status, again.text, again.headers.get("access-control-allow-origin")]).toEqual([304, "", "*"]);
  }
});

/** Sends a JSON text in chunks, without a Content-Length. */
function sendChunked(bytes: number): Promise<Response> {
  const pieces = new TextEncoder().encode(`"${"x".repeat(bytes - 2)}"`);
  const chunkBytes = 4_096;
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent >= bytes) return controller.close();
      controller.enqueue(pieces.slice(sent, sent + chunkBytes));
      sent += chunkBytes;
    },
  });
  return fetch(`${latchkey.url}/api/verify`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

test("a chunked body is refused above 64 KiB and read below", async () => {
  // Just above the limit, so that all of it was sent when the server refuses it.
  const tooLarge = await sendChunked(66_000);
  expect([tooLarge.status, await tooLarge.json()]).toEqual([413, expect.objectContaining({ code: "BODY_TOO_LARGE" })]);
  const small = await sendChunked(60_000);
  expect([small.status, await small.json()]).toEqual([422, expect.objectContaining({ code: "INVALID" })]);
});

test("an endless body is refused", async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(32)) });
  const response = await fetch(`${latchkey.url}/api/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: endless,
  }).catch(() => null);
  // The server may close the connection while the body is being sent; then there is no response.
  if (response) expect(response.status).toBe(413);
  expect((await newClient().get("/healthz")).status).toBe(200);
});
