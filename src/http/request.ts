import type { BunRequest } from "bun";
import { Refusal } from "../core/refusal.ts";
import { type ClientAddressDependencies, createClientAddresses } from "./client-address.ts";
import { anyOrigin } from "./response.ts";

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

/**
 * Reads from a request who sent it and how it reached the server, and decides whether it is handled at all: `admit` and
 * `admitAnyOrigin`.
 */
export function createClients(dependencies: ClientAddressDependencies) {
  const { publicUrl, app } = dependencies;

  return {
    ...createClientAddresses(dependencies),
    refuseCrossSite,
    admitAnyOrigin,
    admit,
    requestedUrl,
    isForThisHost,
  };

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
  function admitAnyOrigin({ request, set }: { request: Request; set: { headers: object } }): void {
    if (!isForThisHost(request)) throw unknownHost();
    refuseUnclearPath(request, { isFound: true });
    Object.assign(set.headers, anyOrigin);
    const id = givenRequestId(request);
    if (id !== null) Object.assign(set.headers, { "x-request-id": id });
  }

  /**
   * For every other request, before a route sees it: throws unless it is for this host, with a clear path. `isFound` says
   * whether there is a route.
   */
  function admit(request: Request, { isFound }: { isFound: boolean }): void {
    requestedUrl(request);
    refuseUnclearPath(request, { isFound });
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

  function isOwnOrigin(origin: string, request: Request): boolean {
    const host = URL.parse(origin)?.host;
    return host !== undefined && host !== "" && (host === URL.parse(request.url)?.host || host === publicUrl?.host);
  }
}

/** So many of the requests that arrive together are handled at once. */
const requestsAtOnceMax = 2;

/**
 * Bun handles each request as soon as it has read it, thousands on one connection, and reads connections that it has
 * just accepted before those that wait. The returned hook makes all requests but the first few wait until Bun has read
 * the rest. Bun closes a connection that sends another request while one waits, so a connection that pipelines costs no
 * more than its first requests. Reading first is also faster: under load a verification takes a quarter less time.
 */
export function createTurns() {
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

/** No address of ours has more. */
const segmentsMax = 10;

/** The first parameter of the routes below, which no other route has. */
const firstSegment = "segment1";

/**
 * Bun resolves dot segments in `request.url` and turns `\` into `/`, which proxies do not do: a proxy may have decided
 * by another path than the one that is routed. Only Bun's router sees the path as it came, and shows it as the
 * parameters of a route. These routes match what no other route does: unknown paths, and those that are not what they
 * resolve to.
 */
export function routesForEveryPath(handle: (request: Request) => Response | Promise<Response>) {
  const names = Array.from({ length: segmentsMax }, (_, index) => `:segment${index + 1}`);
  const paths = names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  const handleOneSlash = (request: Request) => handle(withOneSlash(request));
  return Object.fromEntries(paths.flatMap((path) => [[path, handle] as const, [`/${path}`, handleOneSlash] as const]));
}

/**
 * Programs append `/api/…` to an address that ends in a slash (rules.md: Paths). Another request would not have Bun's
 * connection, so this one gets another address.
 */
function withOneSlash(request: Request): Request {
  if (paramsOf(request)?.[firstSegment] !== "api") return request;
  const url = request.url.replace(/^(https?:\/\/[^/]*)\/\//, "$1/");
  return Object.defineProperty(request, "url", { value: url });
}

/** Whether Bun's router found a route. It finds none for an empty segment and for too many. */
function hasRawPath(request: Request): boolean {
  return paramsOf(request) !== undefined;
}

/**
 * Whether a segment is `.` or `..` or has a slash or backslash in it, encoded or not (rules.md: Paths). In the GET form
 * of verification, which alone has a parameter `key`, encoded ones are data.
 */
function isUnclear(request: Request): boolean {
  const params = paramsOf(request) ?? {};
  const segments = Object.values(params);
  if (segments.some((segment) => segment === "." || segment === "..")) return true;
  const text = segments.join("");
  if (params.key === undefined) return /[/\\]/.test(text);
  return text.includes("\\") && text.split("\\").length > request.url.split(/%5c/i).length;
}

/** The path by which the form of a failure is chosen. `route` is the pattern of the route, if there is one. */
export function pathOfFailure(request: Request, route: string | undefined): string {
  const params = paramsOf(request);
  if (params?.[firstSegment] !== undefined) return `/${Object.values(params).join("/")}`.replaceAll("\\", "/");
  return route || (URL.parse(request.url)?.pathname ?? "");
}

/** The decoded parameters of the route that Bun's router found. */
function paramsOf(request: Request): Record<string, string> | undefined {
  return (request as Partial<BunRequest>).params;
}

/** Whether its method may change something. */
export function isUnsafe({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
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
