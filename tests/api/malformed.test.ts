import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

let latchkey: Latchkey;
let admin: Client;

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
});
afterAll(() => latchkey?.stop());

const newClient = () => createClient(latchkey.url);

describe("a body", () => {
  test.each(["[]", "5", '"text"', "true", "null", "[".repeat(30_000) + "]".repeat(30_000)])(
    "that is no object makes nothing: %p",
    async (body) => {
      const before = (await admin.get("/api/admin/tokens")).body.length;
      const answer = await admin.post("/api/admin/tokens/generate", body);
      expect([400, 422]).toContain(answer.status);
      expect(answer.body.message).toMatch(/^The body (must be a JSON object|is not valid JSON)\.$/);
      expect((await admin.get("/api/admin/tokens")).body).toHaveLength(before);
    },
  );

  test.each([
    ["lists", "[", "]"],
    ["objects", '{"key":', "}"],
  ])("of thousands of nested %s is a wrong field like any other", async (_what, open, close) => {
    const depth = Math.floor(60_000 / (open.length + close.length));
    const nested = open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth);
    const answer = await newClient().post("/api/verify", `{"deviceId":"phone","game":"FREE FIRE","key":${nested}}`);
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { valid: false, message: "key must be 1 to 128 characters" },
    ]);
  });

  test("that has an empty text in an optional field has left it out", async () => {
    const token = await admin.post("/api/admin/tokens/generate", { credits: "" });
    expect([token.status, token.body.token.credits]).toEqual([201, 0]);
    const update = { title: "News", message: "for all", buttonText: "", linkUrl: "", isActive: "" };
    const { status, body } = await admin.post("/api/admin/online-updates", update);
    expect([status, body.isActive, "linkUrl" in body]).toEqual([201, true, false]);
  });
});

test("a query whose parameters are empty has left them out", async () => {
  const answer = await admin.get("/api/admin/keys/manage?search=&game=&status=&sort=&order=&limit=&cursor=");
  expect([answer.status, answer.body.totalCount]).toEqual([200, 0]);
});

describe("a Host that is no host name", () => {
  test.each(["", "a b", "[", "a@b", "a:99999"])("such as %p is refused on every page and call", async (host) => {
    for (const path of ["/", "/register", "/api/updates?limit=1", "/api/nothing", "/nothing", "/healthz"]) {
      expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(400);
    }
  });
});

test("a body too large to be read is refused in JSON, and only after the session was looked at", async () => {
  const body = JSON.stringify({ key: "x".repeat(3 * 1024 * 1024) });
  const verify = await newClient().post("/api/verify", body);
  expect([verify.status, verify.body.code, verify.body.valid]).toEqual([413, "BODY_TOO_LARGE", false]);
  expect((await newClient().post("/api/admin/tokens/generate", body)).status).toBe(401);
});

/** What is not HTTP enough for `fetch`, byte for byte. */
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
