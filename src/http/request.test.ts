import { describe, expect, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { createClients } from "./request.ts";

const clientsOf = (environment: Record<string, string>) =>
  createClients({ ...readConfig(environment), app: { server: null } });
const request = (headers: Record<string, string>, url = "http://localhost:3000/") => new Request(url, { headers });

/** A request as the server sees it: Bun takes the URL's host from the Host header, and omits it if it is invalid. */
const requestTo = (url: string, host: string | null = URL.parse(url)?.host ?? null) =>
  ({ url, headers: new Headers(host === null ? {} : { host }) }) as Request;

describe("with PUBLIC_URL", () => {
  const named = clientsOf({ PUBLIC_URL: "https://keys.example.com" });

  test.each([
    "http://keys.example.com/",
    "http://KEYS.example.com:443/",
    "http://localhost:3000/",
    "http://127.0.0.1/",
    "http://[::1]:3000/",
  ])("%s is accepted", (url) => {
    const received = requestTo(url);
    expect([named.isForThisHost(received), named.requestedUrl(received)]).toEqual([true, new URL(url)]);
  });

  test.each(["http://evil.example/", "http://keys.example.com.evil.example/", "http://evil.example/healthz/x"])(
    "%s is refused",
    (url) => {
      expect(named.isForThisHost(requestTo(url))).toBe(false);
      expect(() => named.requestedUrl(requestTo(url))).toThrow("does not accept that host name");
    },
  );

  test.each(["/healthz", "/readyz", "/metrics?token=a"])("%s is available at any address", (path) => {
    expect(named.requestedUrl(requestTo(`http://10.0.0.5:3000${path}`)).pathname).toBe(path.split("?")[0] as string);
  });
});

describe.each([
  ["with PUBLIC_URL", clientsOf({ PUBLIC_URL: "https://keys.example.com" })],
  ["without PUBLIC_URL", clientsOf({})],
])("%s", (_which, clients) => {
  test.each([
    ["with two Hosts", "http://keys.example.com/", "keys.example.com, keys.example.com"],
    ["whose Host is not a host name", "/api/updates", "a b"],
    ["whose Host is not a valid address", "http://256.1.1.1/", "256.1.1.1"],
    ["without a Host", "/api/updates", null],
  ])("a request %s is refused", (_what, url, host) => {
    const received = requestTo(url, host);
    expect(clients.isForThisHost(received)).toBe(false);
    expect(() => clients.requestedUrl(received)).toThrow("that host name");
  });
});

test("without PUBLIC_URL any host name is accepted", () => {
  expect(clientsOf({}).isForThisHost(requestTo("http://other.example/"))).toBe(true);
});

describe("an unsafe call behind a proxy that terminates https", () => {
  test("is same-origin if its origin is PUBLIC_URL's", () => {
    const named = clientsOf({ PUBLIC_URL: "https://keys.example.com" });
    const own = request({ origin: "https://keys.example.com" }, "http://10.0.0.5:3000/");
    expect(() => named.refuseCrossSite(own)).not.toThrow();
    expect(() => named.refuseCrossSite(request({ origin: "https://evil.example" }))).toThrow("own pages");
  });
});
