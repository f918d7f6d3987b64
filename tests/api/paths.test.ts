import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createClient, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";
import { sendRaw } from "../raw-http.ts";

let latchkey: Latchkey;
let cookie: string;

beforeAll(async () => {
  latchkey = await startLatchkey();
  cookie = (await signInAdmin(() => createClient(latchkey.url))).cookie();
});
afterAll(() => latchkey?.stop());

/** Sends a path as it is, which `fetch` would resolve first. Returns the status, and the code or the page's title. */
async function request(path: string, method = "GET"): Promise<(string | number | undefined)[]> {
  const { host } = new URL(latchkey.url);
  const head = `Host: ${host}\r\nCookie: ${cookie}\r\nConnection: close`;
  const response = await sendRaw(latchkey.url, `${method} ${path} HTTP/1.1\r\n${head}\r\nContent-Length: 0\r\n\r\n`);
  const [headers = "", ...rest] = response.split("\r\n\r\n");
  const [, code] =
    rest
      .join()
      .match(/"code":"(\w+)"|<title>([\w ]+) \S+ Latchkey</)
      ?.filter(Boolean) ?? [];
  return [Number(headers.split(" ")[1]), code];
}

const page = [400, "Page Not Found"];
const json = [400, "INVALID_PATH"];

describe("a path that a proxy may read as another", () => {
  test.each([
    "/x/../admin",
    "/x/%2e%2E/admin",
    "/./admin",
    "/%2e/admin",
    "/admin/.",
    "/admin/..",
    "/x\\..\\admin",
    "/admin\\resellers",
    "/admin%5cresellers",
    "/admin%2Fresellers",
    "/x/../",
    "/x/y//../../../admin",
    "/1/2/3/4/5/6/7/8/9/10/11/../../../../../../../../../../../admin",
    "/nothing/../nowhere",
    "/nothing%2fnowhere//",
    "/admin/keys/..",
    "/x/../robots.txt",
    "http://localhost/x/../admin",
  ])("is the not-found page with a 400: %s", async (path) => {
    expect(await request(path)).toEqual(page);
  });

  test.each([
    "/api/admin/../admin/stats",
    "/api/../api/admin/stats",
    "/api\\admin\\stats",
    "/api/admin%2fstats",
    "/api/admin/keys/%2e%2e/details",
    "/api/admin/keys/1%5C2/details",
    "/api/./updates",
    "/api/x/%2E./updates",
    "/api/../admin",
    "/api/nothing/..",
  ])("is a 400 in JSON below /api: %s", async (path) => {
    expect(await request(path)).toEqual(json);
  });

  test("is refused for every method", async () => {
    expect(await request("/api/x/../verify", "POST")).toEqual(json);
    expect(await request("/api/admin/x/../backup/backups", "POST")).toEqual(json);
    expect(await request("/x/../healthz", "HEAD")).toEqual([400, undefined]);
    expect(await request("/api/x/../verify", "OPTIONS")).toEqual(json);
  });
});

describe("the GET form of verification", () => {
  test("takes slashes and backslashes in its parameters as data", async () => {
    expect(await request("/api/verify/a%2Fb%5Cc/FREE%20FIRE/a%2F..%2Fb")).toEqual([200, "NOT_FOUND"]);
  });

  test.each([
    "../FREE%20FIRE/phone",
    "KEY/FREE%20FIRE/..",
    "KEY/FREE%20FIRE/%2e",
    "../../..",
    "a\\b%5C/FREE%20FIRE/phone",
  ])("refuses dot segments and backslashes that are not encoded: %s", async (parameters) => {
    const { host } = new URL(latchkey.url);
    const head = `Host: ${host}\r\nConnection: close`;
    const response = await sendRaw(latchkey.url, `GET /api/verify/${parameters} HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(response).toStartWith("HTTP/1.1 400 ");
    expect(response).toContain('"valid":false,');
    expect(response).toContain('"code":"INVALID_PATH"');
  });
});

test("other paths are as they were", async () => {
  expect(await request("/admin?from=../x&to=a%2Fb\\c")).toEqual([200, "Overview"]);
  expect(await request("/api/updates?limit=1", "HEAD")).toEqual([200, undefined]);
  expect(await request("/", "HEAD")).toEqual([302, undefined]);
  expect(await request("/", "POST")).toEqual([405, "METHOD_NOT_ALLOWED"]);
  expect(await request("/robots.txt")).toEqual([200, undefined]);
  expect(await request("/nothing..here/...")).toEqual([404, "Page Not Found"]);
  expect(await request("/admin/")).toEqual([404, "Page Not Found"]);
});

test("two slashes at the beginning count as one below /api, and lead to no page", async () => {
  expect(await request("//api/updates")).toEqual([200, undefined]);
  expect(await request("//api/admin/stats")).toEqual([200, undefined]);
  expect(await request("//api/nothing")).toEqual([404, "NOT_FOUND"]);
  expect(await request("//api/updates", "DELETE")).toEqual([405, "METHOD_NOT_ALLOWED"]);
  expect(await request("//api/../admin")).toEqual(json);
  expect(await request("///api/updates")).toEqual([404, "Page Not Found"]);
  const body = JSON.stringify({ key: "UNKNOWN", deviceId: "phone", game: "FREE FIRE" });
  const { host } = new URL(latchkey.url);
  const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  const verdict = await sendRaw(latchkey.url, `POST //api/verify HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  expect(verdict).toContain('"code":"NOT_FOUND"');
  expect(verdict).toStartWith("HTTP/1.1 200 ");
  expect(await request("//admin")).toEqual([404, "Page Not Found"]);
});
