import { getLogger } from "@logtape/logtape";
import { createNetworks, ipVersion, type Network } from "../core/ip-address.ts";
import { Refusal } from "../core/refusal.ts";
import { hasRawPath, isUnclear } from "./path.ts";
import { anyOrigin } from "./response.ts";

const log = getLogger(["latchkey", "http"]);

/** Where a call came from: the address as limits count it, and the id of the request in the log. */
export interface Origin {
  address: string;
  requestId: string;
}

export type Clients = ReturnType<typeof createClients>;

/** Load balancers and scrapers call these by the server's own address. Without a token nothing there is secret. */
const monitoringUrl = /^https?:\/\/[^/?#,]+\/(healthz|readyz|metrics)(\?|$)/;

const encodedSlash = /%2f|%5c/i;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Dependencies {
  publicUrl: URL | null;
  trustedProxies: readonly Network[];
  /** Its server knows the address at the other end of a connection, which may be a proxy's. */
  app: { readonly server: { requestIP(request: Request): { address: string } | null } | null };
}

/**
 * Reads from a request who sent it and how it reached the server. Headers of proxies count only if TRUSTED_PROXIES
 * names the proxy.
 */
export function createClients({ publicUrl, trustedProxies, app }: Dependencies) {
  const proxies = createNetworks(trustedProxies);
  const waitForTurn = createTurns();
  let hasWarned = false;

  return {
    addressOf,
    exactAddressOf: clientAddress,
    isHttps,
    refuseCrossSite,
    admitAnyOrigin,
    admit,
    requestedUrl,
    isForThisHost,
  };

  /**
   * Returns the client's address as limits count it. An IPv6 address becomes its /64, because one household has a whole
   * /64.
   */
  function addressOf(request: Request): string {
    return networkOf(clientAddress(request));
  }

  function socketAddressOf(request: Request): string | undefined {
    return app.server?.requestIP(request)?.address;
  }

  function isHttps(request: Request): boolean {
    if (publicUrl) return publicUrl.protocol === "https:";
    // The first of several proxies is the one that the client reached.
    if (isTrusted(socketAddressOf(request))) return /^https\b/i.test(request.headers.get("x-forwarded-proto") ?? "");
    return request.url.startsWith("https:");
  }

  /**
   * Throws if a page of another site made a browser send the request. Call it for unsafe methods. A request with
   * neither header does not come from a browser and passes.
   */
  function refuseCrossSite(request: Request): void {
    const site = request.headers.get("sec-fetch-site");
    if (site !== null) {
      if (site === "same-origin" || site === "none") return;
      throw crossSite();
    }
    const origin = request.headers.get("origin");
    if (origin !== null && !isOwnOrigin(origin, request)) throw crossSite();
  }

  /**
   * For a public call: any origin may make it, but to this host only. The response carries the id that the request came
   * with.
   */
  async function admitAnyOrigin({ request, set }: { request: Request; set: { headers: object } }): Promise<void> {
    if (!isForThisHost(request)) throw unknownHost();
    refuseUnclearPath(request, { isFound: true });
    Object.assign(set.headers, anyOrigin);
    const id = givenRequestId(request);
    if (id !== null) Object.assign(set.headers, { "x-request-id": id });
    await waitForTurn();
  }

  /**
   * For every other request, before a route sees it: throws unless it is for this host, with a clear path. `isFound` says
   * whether there is a route.
   */
  async function admit(request: Request, { isFound }: { isFound: boolean }): Promise<void> {
    requestedUrl(request);
    refuseUnclearPath(request, { isFound });
    await waitForTurn();
  }

  /** Returns the URL that was requested. Throws unless it is for this host or for monitoring. */
  function requestedUrl(request: Request): URL {
    const url = URL.parse(request.url);
    if (url && (isForThisHost(request) || monitoringUrl.test(request.url))) return url;
    throw unknownHost();
  }

  /**
   * Throws if the request's path may mean another one to a proxy (rules.md: Paths). If there is a route, a path that
   * Bun's router did not find must have been resolved to it.
   */
  function refuseUnclearPath(request: Request, { isFound }: { isFound: boolean }): void {
    const isResolved = isFound && app.server !== null && !hasRawPath(request);
    const hasSlash = !isFound && encodedSlash.test(URL.parse(request.url)?.pathname ?? "");
    if (!isResolved && !hasSlash && !isUnclear(request)) return;
    throw new Refusal("INVALID_PATH", "The path must not contain dot segments, backslashes or encoded slashes.");
  }

  /** Whether there is exactly one valid Host and, with PUBLIC_URL, whether it is that one or a loopback name. */
  function isForThisHost(request: Request): boolean {
    const host = request.headers.get("host");
    // Bun joins two Host headers with a comma and takes the URL from the first. A proxy may have decided by the second.
    if (host?.includes(",")) return false;
    if (!publicUrl) return URL.canParse(request.url);
    // Most requests end here, without a URL to parse.
    if (host === publicUrl.host) return true;
    const hostname = URL.parse(request.url)?.hostname ?? "";
    return hostname === publicUrl.hostname || loopbackHosts.has(hostname);
  }

  function clientAddress(request: Request): string {
    const peer = normalize(socketAddressOf(request) ?? "unknown");
    const forwarded = request.headers.get("x-forwarded-for");
    if (forwarded === null) return peer;
    if (isTrusted(peer)) return forwardedAddress(forwarded, peer);
    warnOfUnnamedProxy(peer);
    return peer;
  }

  /**
   * Returns the last address in X-Forwarded-For that is not a trusted proxy's. The client may have written everything
   * before it. The search ends at anything that is not an address.
   */
  function forwardedAddress(forwarded: string, peer: string): string {
    let client = peer;
    let rest = forwarded;
    while (true) {
      const comma = rest.lastIndexOf(",");
      const address = normalize(rest.slice(comma + 1).trim());
      if (ipVersion(address) === 0) return client;
      client = address;
      if (comma === -1 || !isTrusted(client)) return client;
      rest = rest.slice(0, comma);
    }
  }

  /**
   * Logs it once: behind an unnamed proxy all clients share one address, and one client's wrong passwords count against
   * all.
   */
  function warnOfUnnamedProxy(peer: string): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      "{peer} sends X-Forwarded-For, and TRUSTED_PROXIES does not name it. If it is your proxy, name it: until then limits count everyone behind it as one client.",
      { peer, setting: "TRUSTED_PROXIES" },
    );
  }

  function isTrusted(address: string | undefined): boolean {
    return address !== undefined && proxies.hold(normalize(address));
  }

  function isOwnOrigin(origin: string, request: Request): boolean {
    const host = URL.parse(origin)?.host;
    return host !== undefined && host !== "" && (host === URL.parse(request.url)?.host || host === publicUrl?.host);
  }
}

/** So many of the requests that arrive together are handled at once. */
const requestsAtOnceMax = 2;

/**
 * Bun handles all requests that have arrived, thousands on one connection, before its event loop goes on. The returned
 * function makes all but the first few wait until Bun has read the rest. Bun closes a connection that sends another
 * request while one waits, so a connection that pipelines costs no more than its first requests. Reading first is also
 * faster: under load a verification takes a quarter less time.
 */
function createTurns() {
  let requests = 0;
  let next = Promise.resolve();

  return async function waitForTurn(): Promise<void> {
    if (requests === 0) next = new Promise(startNext);
    requests += 1;
    if (requests > requestsAtOnceMax) await next;
  };

  function startNext(start: () => void): void {
    setImmediate(() => {
      requests = 0;
      start();
    });
  }
}

/** The token of `Authorization: Bearer …`, or null. Other schemes are ignored, because a proxy may use them. */
export function bearerIn({ headers }: Request): string | null {
  const found = headers.get("authorization")?.match(/^bearer(?: +(.*))?$/i);
  return found ? (found[1] ?? "") : null;
}

/** What a client, or a proxy before us, may call a request: nothing that would mean something in a log or a header. */
const requestIdPattern = /^[\w.:-]{1,64}$/;

/** The id that the request came with, if it may be used. */
export function givenRequestId(request: Request): string | null {
  const given = request.headers.get("x-request-id");
  return given !== null && requestIdPattern.test(given) ? given : null;
}

export function unknownHost(): Refusal {
  return new Refusal("UNKNOWN_HOST", "This server does not accept that host name.");
}

function crossSite(): Refusal {
  return new Refusal("CROSS_SITE", "This call must come from Latchkey's own pages.");
}

/**
 * Removes the port that some proxies add, and writes an IPv4 address within IPv6 as IPv4: a socket that listens on IPv6
 * reports ::ffff:192.0.2.1, and some proxies send ::ffff:c000:201.
 */
function normalize(address: string): string {
  if (!address.includes(":")) return address;
  const [, bracketed, dotted] = address.match(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/) ?? [];
  if (dotted !== undefined) return dotted;
  const plain = bracketed ?? address;
  const [, high, low] = URL.parse(`http://[${plain}]`)?.hostname.match(/^\[::ffff:([\da-f]+):([\da-f]+)\]$/) ?? [];
  if (high === undefined || low === undefined) return plain;
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return bytes.join(".");
}

/** Returns the /64 of an IPv6 address, and any other text unchanged. */
function networkOf(address: string): string {
  if (!address.includes(":") || ipVersion(address) !== 6) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*/, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}
