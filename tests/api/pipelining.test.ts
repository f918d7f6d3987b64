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

/** How many requests of a route had each status. */
async function countsOf(route: string): Promise<Record<string, number>> {
  const response = await fetch(`${latchkey.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await response.text()).matchAll(/http_request_seconds_count\{.*route="(.*)",status="(\d+)"\} (\d+)/g);
  return Object.fromEntries([...lines].filter(([, at]) => at === route).map(([, , status, n]) => [status, Number(n)]));
}

test.each([
  ["/register", "/register"],
  ["/api/updates", "/api/updates"],
  ["/api/verify/:key/:game/:deviceId", "/api/verify/KEY/FREE%20FIRE/phone"],
])("a connection that sends thousands of requests at once is closed after some: %s", async (route, path) => {
  const { host } = new URL(latchkey.url);
  const requests = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(pipelined);
  // Bun closes a connection that sends more before a response is ready, and the first response of a page takes longest.
  await fetch(`${latchkey.url}${path}`);
  // The server closes with requests unread, which may reset the connection before the client has read the responses.
  await sendRaw(latchkey.url, requests).catch(() => {});
  const { "200": succeeded = 0, "429": refused } = await countsOf(route);
  expect(refused).toBe(1);
  expect(succeeded).toBeLessThan(pipelined / 2);
});

test("the refusal says so and closes the connection", async () => {
  const { host } = new URL(latchkey.url);
  const text = await sendRaw(latchkey.url, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(61));
  const last = text.slice(text.lastIndexOf("HTTP/1.1 "));
  expect(last).toStartWith("HTTP/1.1 429 ");
  expect(last).toContain("\r\nConnection: close\r\n");
  expect(last).toContain('"code":"TOO_MANY_TRIES"');
});

test("a connection that waits for each response may send any number of requests", async () => {
  for (let sent = 0; sent < 300; sent += 1) expect((await fetch(`${latchkey.url}/api/updates`)).status).toBe(200);
});
