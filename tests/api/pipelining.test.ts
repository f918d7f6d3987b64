import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Latchkey, startLatchkey } from "../process.ts";
import { sendRaw } from "../raw-http.ts";

const token = "r7Qm2_xLk9Tz4VbN8cWd5HfG1sJp6Ye3";

let latchkey: Latchkey;

beforeAll(async () => {
  latchkey = await startLatchkey({ environment: { METRICS_TOKEN: token } });
});
afterAll(() => latchkey?.stop());

const pipelined = 2_000;

/** How many requests of a route have been handled. */
async function countOf(route: string): Promise<number> {
  const response = await fetch(`${latchkey.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await response.text()).matchAll(/http_request_seconds_count\{.*route="(.*)",status="\d+"\} (\d+)/g);
  return [...lines].filter(([, at]) => at === route).reduce((sum, [, , count]) => sum + Number(count), 0);
}

test.each([
  ["/register", "/register"],
  ["/api/updates", "/api/updates"],
  ["/api/verify/:key/:game/:deviceId", "/api/verify/KEY/FREE%20FIRE/phone"],
  ["no route", "/api/nothing"],
  ["no route", "/api/a%2fb"],
])("a connection that sends thousands of requests at once is closed after a few: %s %s", async (route, path) => {
  const { host } = new URL(latchkey.url);
  const requests = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(pipelined);
  // The first response of a page takes longest.
  await fetch(`${latchkey.url}${path}`);
  const before = await countOf(route);
  // The server closes with requests unread, which may reset the connection before the client has read the responses.
  await sendRaw(latchkey.url, requests).catch(() => {});
  const handled = (await countOf(route)) - before;
  expect(handled).toBeGreaterThan(0);
  expect(handled).toBeLessThan(10);
});

test("two requests at once get their responses", async () => {
  const { host } = new URL(latchkey.url);
  const get = (headers: string) => `GET /api/updates HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const text = await sendRaw(latchkey.url, get("") + get("Connection: close\r\n"));
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

test("a connection that waits for each response may send any number of requests", async () => {
  for (let sent = 0; sent < 300; sent += 1) expect((await fetch(`${latchkey.url}/api/updates`)).status).toBe(200);
});
