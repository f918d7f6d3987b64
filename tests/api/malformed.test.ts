import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { msPerDay } from "../../src/core/clock.ts";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { type Operation, readDocumentation, type Schema } from "../drills/fuzz/document.ts";
import { parallel } from "../parallel.ts";
import { adminLogin, type Latchkey, startLatchkey } from "../process.ts";

let latchkey: Latchkey;
let admin: Client;

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
});
afterAll(() => latchkey?.stop());

const newClient = () => createClient(latchkey.url);

/** A body that is sent without its length. */
const inChunks = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(0, 9));
      await setImmediate();
      controller.enqueue(bytes.subarray(9));
      controller.close();
    },
  });

describe("a body", () => {
  test.each(["[]", "5", '"text"', "true", "null", "[".repeat(30_000) + "]".repeat(30_000)])(
    "that is not an object creates nothing: %p",
    async (body) => {
      const before = (await admin.get("/api/admin/tokens")).body.length;
      const response = await admin.post("/api/admin/tokens/generate", body);
      expect([400, 422]).toContain(response.status);
      expect(response.body.message).toMatch(/^The body (must be a JSON object|is not valid JSON)/);
      expect((await admin.get("/api/admin/tokens")).body).toHaveLength(before);
    },
  );

  test("with an object that cannot be turned into text is refused like any invalid field", async () => {
    const username = { toString: 1, valueOf: 2 };
    const { status, body } = await newClient().post("/api/auth/admin/login", { username, password: "a password" });
    expect([status, body.code]).toEqual([422, "INVALID"]);
  });

  test.each([
    ["lists", "[", "]"],
    ["objects", '{"key":', "}"],
  ])("with hundreds of nested %s is refused like any invalid field", async (_what, open, close) => {
    const depth = 400;
    const nested = open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth);
    const response = await newClient().post("/api/verify", `{"deviceId":"phone","game":"FREE FIRE","key":${nested}}`);
    expect([response.status, response.body]).toMatchObject([
      422,
      { valid: false, message: "key must be 1 to 128 characters" },
    ]);
  });

  test.each([
    ["names", (index: number) => `"${(index * 7_919) % 1_000_003}":0`],
    ["nested lists", (index: number) => `"a":${"[".repeat(index)}${"]".repeat(index)}`],
  ])("with more than 1,000 %s is refused", async (_what, field) => {
    const fields = Array.from({ length: 1_001 }, (_, index) => field(index));
    const message = "The body must be a JSON object with at most 1,000 fields.";
    for (const path of ["/api/verify", "/api/auth/admin/login"]) {
      const { status, body } = await newClient().post(path, `{${fields.join()}}`.slice(0, 60_000));
      expect([status, body.code, body.message]).toEqual([422, "INVALID", message]);
    }
  });

  test.each([
    ["a stray byte", [0xff]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong letter", [0xc1, 0x81]],
    ["half a letter", [0xc3]],
  ])("with %s is not UTF-8, so it is refused", async (_what, bytes) => {
    const bodyOf = (...text: number[]) => Buffer.concat([Buffer.from('{"key":"K'), Buffer.from(text), rest]);
    const rest = Buffer.from('","deviceId":"phone","game":"FREE FIRE"}');
    const send = (body: BodyInit) =>
      fetch(`${latchkey.url}/api/verify`, { method: "POST", headers: { "content-type": "application/json" }, body });
    for (const body of [bodyOf(...bytes), inChunks(bodyOf(...bytes))]) {
      const refused = await send(body);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "INVALID_JSON"]);
    }
    expect((await send(bodyOf(0xc3, 0xa4))).status).toBe(200);
  });

  test("with a byte order mark is read without it, whole or in chunks", async () => {
    const text = '\ufeff{"key":"UNKNOWN","deviceId":"phone","game":"FREE FIRE"}';
    const headers = { "content-type": "application/json" };
    for (const body of [text, inChunks(Buffer.from(text))]) {
      const { status } = await fetch(`${latchkey.url}/api/verify`, { method: "POST", headers, body });
      expect(status).toBe(200);
    }
  });

  test("with an empty text in an optional field counts as without the field", async () => {
    const token = await admin.post("/api/admin/tokens/generate", { credits: "" });
    expect([token.status, token.body.token.credits]).toEqual([201, 0]);
    const update = { title: "News", message: "for all", buttonText: "", linkUrl: "", isActive: "" };
    const { status, body } = await admin.post("/api/admin/online-updates", update);
    expect([status, body.isActive, "linkUrl" in body]).toEqual([201, true, false]);
  });
});

test("empty query parameters count as missing", async () => {
  const response = await admin.get("/api/admin/keys/manage?search=&game=&status=&sort=&order=&limit=&cursor=");
  expect([response.status, response.body.totalCount]).toEqual([200, 0]);
});

describe("an invalid Host", () => {
  test.each(["", "a b", "[", "a@b", "a:99999"])("such as %p is refused on every page and call", async (host) => {
    for (const path of ["/", "/register", "/api/updates?limit=1", "/api/nothing", "/nothing", "/healthz"]) {
      expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(400);
    }
  });
});

test("two Host headers are refused, even with the same value", async () => {
  const { host } = new URL(latchkey.url);
  for (const hosts of [
    `Host: ${host}\r\nHost: evil.example`,
    `Host: ${host}\r\nhost: ${host}`,
    `Host: ${host}, ${host}`,
  ]) {
    expect(await statusOf(`GET /register HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)).toBe(400);
  }
  expect(await statusOf(`GET /register HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(200);
});

describe("a device id", () => {
  const statusesFor = async (deviceId: string) => {
    const request = { key: "UNKNOWN", deviceId, game: "FREE FIRE" };
    const posted = await newClient().post("/api/verify", request);
    const previewed = await newClient().get(
      `/api/verify/UNKNOWN/FREE%20FIRE/${encodeURIComponent(deviceId.toWellFormed())}`,
    );
    return [posted.status, previewed.status];
  };

  test.each([
    ["Braille's blank", "\u2800"],
    ["a Hangul filler", "\u3164"],
    ["a Hangul initial filler", "\u115f"],
    ["a halfwidth filler", "\uffa0"],
    ["a vowel separator", "\u180e"],
    ["a zero-width joiner in it", "a\u200db"],
    ["a variation selector in it", "a\ufe0f"],
    ["a tag in it", "a\u{e0061}"],
    ["a direction override in it", "a\u202eb"],
    ["a space in it", "a b"],
    ["a no-break space in it", "a\u00a0b"],
    ["a control character in it", "a\u0007"],
    ["a null notehead", "\u{1d159}"],
    ["a combining accent without a letter", "\u0301"],
    ["more than 128 characters", "x".repeat(129)],
  ])("of %s is refused", async (_what, deviceId) => {
    expect(await statusesFor(deviceId)).toEqual([422, 422]);
  });

  test.each(["a3f1c9d2-phone", "téléphone-Ж-電話", "e\u0301", "📱".repeat(128), "~".repeat(128)])(
    "of visible characters is accepted: %s",
    async (deviceId) => {
      expect(await statusesFor(deviceId)).toEqual([200, 200]);
    },
  );
});

test("a body that is too large is refused in JSON, but only after the session check", async () => {
  const body = JSON.stringify({ key: "x".repeat(3 * 1024 * 1024) });
  const verify = await newClient().post("/api/verify", body);
  expect([verify.status, verify.body.code, verify.body.valid]).toEqual([413, "BODY_TOO_LARGE", false]);
  expect((await newClient().post("/api/admin/tokens/generate", body)).status).toBe(401);
});

/** Sends bytes that `fetch` cannot send. */
function statusOf(bytes: string): Promise<number> {
  const { hostname, port } = new URL(latchkey.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(Number(text.split(" ")[1])));
  });
}

describe("U+0000 in a text", () => {
  // The replacement character must not match U+0000.
  const note = "for the testers \ufffd";

  beforeAll(async () => {
    await registerReseller(newClient, admin, { username: "night.owl" });
    await admin.post("/api/admin/tokens/generate", { credits: 1 });
    const expiryDate = new Date(Date.now() + 30 * msPerDay).toISOString().slice(0, 10);
    const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1 };
    const { body } = await admin.post("/api/admin/keys/generate", order);
    await admin.call("PUT", `/api/admin/keys/${body.keys[0].id}/note`, { note });
    await admin.call("PUT", `/api/admin/orders/${body.orderId}/note`, { note });
  });

  test.each([
    "keys/manage?search",
    "resellers?search",
    "tokens?search",
    "orders?search",
    "audit?search",
    "audit?actor",
  ])("matches no row of a list: %s", async (list) => {
    const all = await admin.get(`/api/admin/${list}=`);
    const { status, body } = await admin.get(`/api/admin/${list}=%00`);
    const rowsIn = (found: { keys: unknown[] } | unknown[]) => (Array.isArray(found) ? found : found.keys);
    expect([status, rowsIn(body)]).toEqual([200, []]);
    expect(rowsIn(all.body)).not.toEqual([]);
  });

  test("in a cursor comes before every name", async () => {
    const cursor = Buffer.from(JSON.stringify(["\0", 1])).toString("base64url");
    const { status, body } = await admin.get(`/api/admin/resellers?sort=username&order=asc&limit=9&cursor=${cursor}`);
    expect([status, body]).toMatchObject([200, [{ username: "night.owl" }]]);
  });

  test("matches no row of a download, which is still complete", async () => {
    const { status, text } = await admin.get("/api/admin/audit?format=csv&search=%00");
    expect([status, text.trim()]).toEqual([200, "id,at,action,actor,target,address,details"]);
  });

  test("matches no key, account or token", async () => {
    const game = "FREE FIRE";
    const client = newClient();
    const verdicts = [
      await client.post("/api/verify", { key: "A\0B", deviceId: "phone", game }),
      await client.get("/api/verify/A%00B/FREE%20FIRE/phone"),
    ];
    for (const { status, body } of verdicts) expect([status, body.code]).toEqual([200, "NOT_FOUND"]);
    const signIn = await client.post("/api/auth/admin/login", { username: "admin\0", password: "wrong" });
    expect([signIn.status, signIn.body.code]).toEqual([401, "WRONG_CREDENTIALS"]);
    const form = { username: "barn.owl", password: "secret-enough", referralToken: "to\0ken" };
    const registered = await client.post("/api/auth/reseller/register", form);
    expect([registered.status, registered.body.code]).toEqual([422, "TOKEN_UNKNOWN"]);
  });
});

describe("a field that takes text", () => {
  const { password } = adminLogin;
  const scope = { all: true };
  const calls: [string, string, string, object][] = [
    ["label", "POST", "tokens/generate", {}],
    ["note", "POST", "resellers/credits", { resellerId: 2, amount: 1 }],
    ["reason", "POST", "resellers/2/toggle-status", { isActive: false }],
    ["note", "PUT", "keys/1/note", {}],
    ["note", "PUT", "orders/1/note", {}],
    ["name", "POST", "games", {}],
    ["maintenance", "PUT", "games/1", {}],
    ["updateMessage", "PUT", "games/1", {}],
    ["label", "POST", "durations", { hours: 7 }],
    ["name", "POST", "price-lists", {}],
    ["name", "POST", "api-keys", { scopes: ["verify"], password }],
    ["reason", "POST", "interventions", { kind: "pause", scope, dryRun: true }],
    ["title", "POST", "online-updates", { message: "for all" }],
    ["message", "POST", "online-updates", { title: "News" }],
    ["buttonText", "POST", "online-updates", { title: "News", message: "for all", linkUrl: "https://example.com" }],
  ];

  test.each(calls)(
    "%s of %s %s takes emoji and joiners, and names what it refuses",
    async (field, method, path, form) => {
      const send = (text: string) => admin.call(method, `/api/admin/${path}`, { ...form, [field]: text });
      expect((await send("paid ❤️ 👩‍👩‍👧 می‌خواهم क्‍ष")).status).toBeOneOf([200, 201]);
      for (const [text, named] of [
        ["a\u200bb", "U+200B"],
        ["a\u202eb", "U+202E"],
        ["a \u200d", "U+200D"],
        ["a\u0007", "U+0007"],
      ] as const) {
        const { status, body } = await send(text);
        expect([status, body.errors]).toEqual([422, [{ path: field, message: expect.stringContaining(named) }]]);
      }
    },
  );
});

test("a sentence repeats no control character of what was sent", async () => {
  const send = (query: string) =>
    admin.call("POST", `/api/admin/imports?${query}`, "key,game\nK,G", { "content-type": "text/csv" });
  for (const query of ["map=%1b[2J=x", "map=key=%1b[2J%0a"]) {
    const { status, body } = await send(query);
    expect([status, body.message]).toEqual([422, expect.not.stringMatching(/\p{Cc}/u)]);
  }
});

describe("long, doubled and nested values", () => {
  const odd = [
    "x".repeat(513),
    "x".repeat(5_000),
    "9".repeat(400),
    "\ud83d",
    1e308,
    [],
    ["x", "x"],
    [["x"]],
    { x: [{}] },
  ];
  const inQuery = ["x".repeat(513), "x".repeat(5_000), "9".repeat(400), '["x"]', '{"x":{}}', "%", "a,b"];

  /** Each parameter of a call's query in turn. */
  const queriesOf = ({ parameters }: Operation) =>
    parameters
      .filter((each) => each.in === "query")
      .flatMap(({ name }) => [
        ...inQuery.map((text) => `${name}=${encodeURIComponent(text)}`),
        ...[`${name}=x&${name}=y`, `${name}=${"x".repeat(513)}&${name}=y`, `${name}[]=x`, `${name}[x][y]=z`],
      ]);

  const usualOf = (fields: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]));

  /** In place of a whole value, and of each field in it in turn. The other fields have their examples. */
  const oddOf = ({ properties = {}, items, anyOf = [] }: Schema): unknown[] => [
    ...odd,
    ...Object.entries(properties).flatMap(([name, field]) =>
      oddOf(field).map((value) => ({ ...usualOf(properties), [name]: value })),
    ),
    ...(items ? oddOf(items).map((value) => [value]) : []),
    ...anyOf.filter((each) => each.properties ?? each.items).flatMap(oddOf),
  ];

  test("are never a 500, in any query and body", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "odd.one" });
    const { operations } = await readDocumentation(latchkey.url);
    const faults: string[] = [];
    const requests = operations.flatMap((operation) => {
      const { method, path, bodyType } = operation;
      const client = path.startsWith("/api/admin/")
        ? admin
        : path.startsWith("/api/reseller/")
          ? reseller
          : newClient();
      const address = path.replace(/\{\w+\}/g, "1");
      const headers = { "content-type": bodyType };
      const look = (query: string, body?: string) => async () => {
        const { status } = await client.call(method, address + query, body, body === undefined ? {} : headers);
        if (status === 500) faults.push(`${method} ${address}${query.slice(0, 80)} ${body?.slice(0, 200)}`);
      };
      return [
        ...queriesOf(operation).map((query) => look(`?${query}`, operation.body ? "key\nK" : undefined)),
        ...(operation.body ? oddOf(operation.body) : []).map((body) => look("", JSON.stringify(body))),
      ];
    });
    expect(requests.length).toBeGreaterThan(1_000);
    // Many wait for a password to be compared.
    const lanes = 16;
    await parallel(lanes, async (lane) => {
      for (const [index, look] of requests.entries()) if (index % lanes === lane) await look();
    });
    expect(faults).toEqual([]);
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
  }, 120_000);
});
