import { describe, expect, test } from "bun:test";
import { resetSync } from "@logtape/logtape";
import { keepLog } from "../../tests/log-records.ts";
import { readConfig } from "../config/config.ts";
import { createClientAddresses } from "./client-address.ts";

/** An application whose connections all come from one address. */
const listeningApp = (address: string) => ({ server: { requestIP: () => ({ address }) } });
const clientsOf = (environment: Record<string, string>, socket = "1.1.1.1") =>
  createClientAddresses({ ...readConfig(environment), app: listeningApp(socket) });
const request = (headers: Record<string, string>) => new Request("http://localhost:3000/", { headers });

describe("the client address", () => {
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
    ["10.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["10.0.0.1", "::ffff:cb00:7109", "203.0.113.9"],
    ["10.0.0.1", "[0:0:0:0:0:FFFF:203.0.113.9]:40001", "203.0.113.9"],
    ["10.0.0.1", "", "10.0.0.1"],
  ])("from a socket of %s with X-Forwarded-For %p is %s", (socket, forwarded, expected) => {
    const headers = (forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) as Record<string, string>;
    const proxied = clientsOf({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }, socket);
    expect(proxied.addressOf(request(headers))).toBe(expected as string);
  });

  test("is the socket's without trusted proxies", () => {
    expect(clientsOf({}, "10.0.0.1").addressOf(request({ "x-forwarded-for": "1.2.3.4" }))).toBe("10.0.0.1");
  });
});

test("cannot be forged on a loopback listener after requests of a trusted proxy", () => {
  let socket = "127.0.0.1";
  const config = readConfig({ HOST: "127.0.0.1", TRUSTED_PROXIES: "127.0.0.1" });
  const clients = createClientAddresses({
    ...config,
    app: { server: { requestIP: () => ({ address: socket }) } },
  });
  const claimed = () => clients.addressOf(request({ "x-forwarded-for": "198.51.100.1" }));
  expect(claimed()).toBe("198.51.100.1");
  socket = "203.0.113.7";
  expect(Array.from({ length: 20 }, claimed)).toEqual(Array(20).fill("203.0.113.7"));
});

test("a proxy that TRUSTED_PROXIES does not name is logged once, with its address and the setting", () => {
  const records = keepLog();
  const unnamed = clientsOf({ TRUSTED_PROXIES: "10.0.0.0/8" }, "192.0.2.1");
  unnamed.addressOf(request({}));
  expect(records).toEqual([]);
  for (let calls = 0; calls < 3; calls += 1) unnamed.addressOf(request({ "x-forwarded-for": "1.2.3.4" }));
  clientsOf({ TRUSTED_PROXIES: "10.0.0.0/8" }, "10.0.0.1").addressOf(request({ "x-forwarded-for": "1.2.3.4" }));
  resetSync();
  expect(records.map(({ level, properties }) => [level, properties.peer, properties.setting])).toEqual([
    ["warning", "192.0.2.1", "TRUSTED_PROXIES"],
  ]);
});

describe("https", () => {
  test("is determined by PUBLIC_URL, otherwise by a trusted proxy", () => {
    const forwarded = request({ "x-forwarded-proto": "https" });
    expect(clientsOf({ PUBLIC_URL: "https://keys.example.com" }).isHttps(request({}))).toBe(true);
    expect(clientsOf({ PUBLIC_URL: "http://keys.example.com" }).isHttps(forwarded)).toBe(false);
    expect(clientsOf({ TRUSTED_PROXIES: "1.1.1.1" }).isHttps(forwarded)).toBe(true);
    const byTwo = (protocols: string) => request({ "x-forwarded-proto": protocols });
    expect(clientsOf({ TRUSTED_PROXIES: "1.1.1.1" }).isHttps(byTwo("https, http"))).toBe(true);
    expect(clientsOf({ TRUSTED_PROXIES: "1.1.1.1" }).isHttps(byTwo("http, https"))).toBe(false);
    expect(clientsOf({}).isHttps(forwarded)).toBe(false);
  });
});
