import { describe, expect, test } from "bun:test";
import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { readConfig } from "../config/config.ts";
import { createPeers } from "./peer.ts";

const peersOf = (environment: Record<string, string>, socket = "1.1.1.1") =>
  createPeers({ ...readConfig(environment), socketAddressOf: () => socket });
const request = (headers: Record<string, string>, url = "http://localhost:3000/") => new Request(url, { headers });

describe("the address that limits count", () => {
  test.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "forged, 198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "1.2.3.4, 198.51.100.1, 10.2.2.2", "198.51.100.1"],
    ["::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::1", undefined, "2001:db8:0:0::/64"],
    ["2001:0DB8:0:00::9", undefined, "2001:db8:0:0::/64"],
    ["fe80::1%eth0.100", undefined, "fe80:0:0:0::/64"],
    ["::1", "2001:db8::1%a:b:c:d", "2001:db8:0:0::/64"],
    ["10.0.0.1", "198.51.100.1:40001", "198.51.100.1"],
    ["10.0.0.1", "[2001:db8::7]:40001", "2001:db8:0:0::/64"],
    ["10.0.0.1", "1.2.3.4, 198.51.100.1:40001, 10.2.2.2:8080", "198.51.100.1"],
    ["10.0.0.1", "1.2.3.4, no address, 10.2.2.2", "10.2.2.2"],
    ["10.0.0.1", "", "10.0.0.1"],
  ])("of a socket from %s that claims %p is %s", (socket, forwarded, expected) => {
    const headers = (forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) as Record<string, string>;
    const proxied = peersOf({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }, socket);
    expect(proxied.addressOf(request(headers))).toBe(expected as string);
  });

  test("without trusted proxies is the socket's, whatever is claimed", () => {
    expect(peersOf({}, "10.0.0.1").addressOf(request({ "x-forwarded-for": "1.2.3.4" }))).toBe("10.0.0.1");
  });
});

test("a stranger on a loopback listener claims no address, however many trusted requests came before", () => {
  let socket = "127.0.0.1";
  const config = readConfig({ HOST: "127.0.0.1", TRUSTED_PROXIES: "127.0.0.1" });
  const peers = createPeers({ ...config, socketAddressOf: () => socket });
  const claimed = () => peers.addressOf(request({ "x-forwarded-for": "198.51.100.1" }));
  expect(claimed()).toBe("198.51.100.1");
  socket = "203.0.113.7";
  expect(Array.from({ length: 20 }, claimed)).toEqual(Array(20).fill("203.0.113.7"));
});

test("a proxy that TRUSTED_PROXIES does not name is told of once, with its address and the setting", () => {
  const records: LogRecord[] = [];
  const sinks = { kept: (record: LogRecord) => void records.push(record) };
  configureSync({
    reset: true,
    sinks,
    loggers: [
      { category: ["latchkey"], sinks: ["kept"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
  const unnamed = peersOf({ TRUSTED_PROXIES: "10.0.0.0/8" }, "192.0.2.1");
  unnamed.addressOf(request({}));
  expect(records).toEqual([]);
  for (let calls = 0; calls < 3; calls += 1) unnamed.addressOf(request({ "x-forwarded-for": "1.2.3.4" }));
  peersOf({ TRUSTED_PROXIES: "10.0.0.0/8" }, "10.0.0.1").addressOf(request({ "x-forwarded-for": "1.2.3.4" }));
  resetSync();
  expect(records.map(({ level, properties }) => [level, properties.peer, properties.setting])).toEqual([
    ["warning", "192.0.2.1", "TRUSTED_PROXIES"],
  ]);
});

describe("https", () => {
  test("is what PUBLIC_URL says, else what a trusted proxy says, else no", () => {
    const forwarded = request({ "x-forwarded-proto": "https" });
    expect(peersOf({ PUBLIC_URL: "https://keys.example.com" }).isHttps(request({}))).toBe(true);
    expect(peersOf({ PUBLIC_URL: "http://keys.example.com" }).isHttps(forwarded)).toBe(false);
    expect(peersOf({ TRUSTED_PROXIES: "1.1.1.1" }).isHttps(forwarded)).toBe(true);
    expect(peersOf({}).isHttps(forwarded)).toBe(false);
  });
});

describe("a host", () => {
  const named = peersOf({ PUBLIC_URL: "https://keys.example.com" });
  test.each(["http://keys.example.com/", "http://localhost:3000/", "http://127.0.0.1/", "http://[::1]:3000/"])(
    "%s is ours",
    (url) => {
      expect(() => named.addressAsked(request({}, url))).not.toThrow();
    },
  );

  test("of somebody else's is refused once PUBLIC_URL says which is ours", () => {
    const other = request({}, "http://evil.example/");
    expect(() => named.addressAsked(other)).toThrow("does not answer to that host name");
    expect(() => peersOf({}).addressAsked(other)).not.toThrow();
  });

  test("that is no host name is nobody's", () => {
    const nameless = { url: "/api/updates", headers: new Headers() } as Request;
    for (const peers of [named, peersOf({})]) expect(() => peers.addressAsked(nameless)).toThrow("that host name");
  });
});

describe("an unsafe call behind a proxy that ends https", () => {
  test("comes from our own page when its origin is PUBLIC_URL's", () => {
    const named = peersOf({ PUBLIC_URL: "https://keys.example.com" });
    const own = request({ origin: "https://keys.example.com" }, "http://10.0.0.5:3000/");
    expect(() => named.refuseCrossSite(own)).not.toThrow();
    expect(() => named.refuseCrossSite(request({ origin: "https://evil.example" }))).toThrow("own pages");
  });
});
