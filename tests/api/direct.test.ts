import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import fc from "fast-check";
import { createClient, signInAdmin } from "../client.ts";
import { freePort } from "../free-port.ts";
import { type Latchkey, startLatchkey, temporaryFolder } from "../process.ts";
import { sendRaw } from "../raw-http.ts";

/**
 * The calls of game clients are answered beside Elysia, and by Elysia too: a server whose log is to show every request answers all of them
 * there. Both get the same requests in the same order, on two copies of one database, and must answer the same.
 */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 3_000);

const folders = [temporaryFolder(), temporaryFolder()] as const;
let beside: Latchkey;
let elysia: Latchkey;

beforeAll(async () => {
  const [folder, copy] = folders;
  const first = await startLatchkey({ dataFolder: folder });
  await fill(first);
  await first.stop();
  cpSync(folder, copy, { recursive: true });
  beside = await start(folder, {});
  elysia = await start(copy, { LOG_LEVEL: "debug" });
});
afterAll(async () => {
  for (const server of [beside, elysia]) await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** With PUBLIC_URL, so that other hosts are refused; then a server does not say its port, and is told one. */
async function start(dataFolder: string, environment: Record<string, string>): Promise<Latchkey> {
  const port = await freePort();
  const settings = { RATE_LIMITS: "on", PUBLIC_URL: "http://keys.example", PORT: String(port), ...environment };
  return { ...(await startLatchkey({ dataFolder, environment: settings })), url: `http://127.0.0.1:${port}` };
}

const keys = ["Good-Key-1", "GOOD-KEY-22222222", "FULL-KEY-1", "REVOKED-KEY-1", "short"];

/** One update, and a key of each kind; one was used by as many devices as it allows. */
async function fill(server: Latchkey): Promise<void> {
  const admin = await signInAdmin(() => createClient(server.url));
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  for (const keyString of keys.slice(0, 4)) {
    const deviceLimit = keyString === "FULL-KEY-1" ? 1 : 10;
    const order = { game: "FREE FIRE", deviceLimit, expiryDate, keyString, count: 1 };
    const { body } = await admin.post("/api/admin/keys/generate", order);
    if (keyString === "REVOKED-KEY-1") await admin.call("DELETE", `/api/admin/keys/${body.keys[0].id}`);
  }
  await admin.post("/api/verify", { key: "FULL-KEY-1", deviceId: "phone-1", game: "FREE FIRE" });
  await admin.post("/api/admin/online-updates", { title: "Seen", message: "by all" });
}

const odd = fc.oneof(
  fc.constantFrom("", " ", "\0", "a b", "é", "\u212aey", "x".repeat(129), "{", "\ud800", "%", "\u200b"),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...keys, " good-key-1 ", "NO-SUCH-KEY-1234") }, odd);
const device = fc.oneof({ weight: 5, arbitrary: fc.constantFrom("phone-1", "phone-2", "phone-3") }, odd);
const game = fc.oneof({ weight: 5, arbitrary: fc.constantFrom("FREE FIRE", "LAST ISLAND", "CHESS") }, odd);

const wrong = fc.oneof(odd, fc.integer(), fc.constantFrom(null, true, [], {}, { a: [1] }));
const fields = fc.record({ key: fc.oneof({ weight: 9, arbitrary: key }, wrong), deviceId: device, game });
const body = fc.oneof(
  { weight: 8, arbitrary: fields.map((each) => JSON.stringify(each)) },
  fc.record({ key, game, more: wrong }, { requiredKeys: [] }).map((each) => JSON.stringify(each)),
  fc.constantFrom("", "{", "[]", "null", '"text"', "{}", '{"key":"a","key":"short"}', "\u{feff}{}", "1e999"),
  fc.constant(JSON.stringify({ key: "x".repeat(66_000) })),
);

/** Header lines, each of which comes as it should most of the time. */
const contentType = usually("application/json", [
  "Application/JSON",
  "application/json; charset=utf-8",
  "application/jsonp",
  "text/plain",
  "application/x-www-form-urlencoded",
  null,
]).map((type) => (type === null ? "" : `Content-Type: ${type}\r\n`));
const host = usually("keys.example", [
  "localhost",
  "evil.example",
  "KEYS.example:80",
  "a b",
  "",
  "keys.example\r\nHost: b",
]);
const other = usually("", [
  "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n",
  "Cookie: session=forged\r\n",
  "X-Forwarded-For: 1.2.3.4\r\n",
  "Accept-Encoding: gzip\r\n",
]);

const post = fc
  .record({ body, contentType, host, other, chunked: fc.boolean(), query: usually("", ["?", "?key=a"]) })
  .map(({ body, contentType, host, other, chunked, query }) => {
    const bytes = Buffer.from(body).toString("latin1");
    const inChunks = chunked && bytes.length % 4 === 0;
    const length = inChunks ? "Transfer-Encoding: chunked\r\n" : `Content-Length: ${bytes.length}\r\n`;
    const sent = inChunks ? chunksOf(bytes) : bytes;
    return `POST /api/verify${query} HTTP/1.1\r\nHost: ${host}\r\n${contentType}${other}${length}Connection: close\r\n\r\n${sent}`;
  });

const path = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(key, game, device).map((parts) => `/api/verify/${parts.map(encoded).join("/")}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("/api/updates", "/api/updates?", "/api/updates?limit=1", "/api/updates?limit=0"),
  },
  fc.constantFrom(
    "/api/verify",
    "/api/verify/",
    "/api/verify/a/b",
    "/api/updates/",
    "/api/verify/%zz/FREE%20FIRE/a",
    "//api/verify",
    "/api/verify/a/b/c/d",
  ),
);
const held = usually("", ['If-None-Match: "other"\r\n', "If-None-Match: *\r\n", 'If-None-Match: W/"x", *\r\n']);
const get = fc
  .record({ method: usually("GET", ["HEAD", "OPTIONS", "PUT", "DELETE"]), path, host, other, held })
  .map(
    ({ method, path, host, other, held }) =>
      `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${other}${held}Connection: close\r\n\r\n`,
  );

test(`${requests} generated requests are answered beside Elysia as Elysia answers them`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(post, get), async (bytes) => {
      const [own, expected] = await Promise.all([sendRaw(beside.url, bytes), sendRaw(elysia.url, bytes)]);
      expect(comparable(own)).toEqual(comparable(expected));
    }),
    { numRuns: requests },
  );
}, 120_000);

/**
 * Status, headers by name (their order says nothing) and body, without what is another in each second or request: a page's nonce, an id.
 * Whether a 304, which has no body, says so by a length of 0 is Bun's choice, and another for HEAD in its router.
 */
function comparable(answer: string) {
  const [head = "", ...rest] = answer.replace(/[\w+/]{22}==/g, "nonce").split("\r\n\r\n");
  const [status = "", ...lines] = head.replace(/^(retry-after|date): .*$/gim, "$1").split("\r\n");
  const otherwise = status.includes(" 304 ") ? /^(x-request-id:|content-length: 0$)/i : /^x-request-id:/i;
  const headers = lines.filter((line) => !otherwise.test(line));
  return { status, headers: headers.sort(), body: rest.join("\r\n\r\n") };
}

function usually<Value>(value: Value, others: Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 10, arbitrary: fc.constant(value) }, fc.constantFrom(...others));
}

function chunksOf(bytes: string): string {
  const half = bytes.length / 2;
  const chunks = [bytes.slice(0, half), bytes.slice(half)].filter((chunk) => chunk !== "");
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
