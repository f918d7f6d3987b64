import { type AnyElysia, Elysia } from "elysia";
import type { Metrics } from "../core/metrics.ts";
import { Refusal } from "../core/refusal.ts";
import { fileBytesMax } from "./body.ts";
import { type FailureShape, failureResponse } from "./errors.ts";
import { createRequestLog, traceOf } from "./logging/request-log.ts";
import type { SecurityLog } from "./logging/security-log.ts";
import { type Clients, createTurns, pathOfFailure, routesForEveryPath } from "./request.ts";
import { commonHeaders, notKept, silentSecondsMax } from "./response.ts";
import type { Failure } from "./schema.ts";

/** A Host header that is shorter shifts the path that Elysia reads from an https address. */
const hostCharactersMin = 4;

/**
 * Calls refuse larger bodies by themselves, with a message. Beyond this Bun refuses any body: it is somewhat more than a
 * file may have.
 */
const unreadBytesMax = 2 * fileBytesMax;

/** The application without hooks and routes. `app.server` is there once it listens. */
export function createElysia({ usesTls }: { usesTls: boolean }): Elysia {
  // By default a short Host header shifts the path that is routed. Without the default, Elysia 1.4.30 misreads the path
  // of an https address.
  const handler = { standardHostname: usesTls };
  const routes = routesForEveryPath((request) => app.fetch(request));
  const app: Elysia = new Elysia({
    ...{ strictPath: true, handler, websocket },
    serve: { idleTimeout: silentSecondsMax, maxRequestBodySize: unreadBytesMax, routes },
  });
  return app;
}

interface Dependencies {
  /** From `createElysia`. */
  app: Elysia;
  publicUrl: URL | null;
  usesTls: boolean;
  clients: Clients;
  securityLog: SecurityLog;
  metrics: Metrics;
  publicApi: (app: Elysia) => AnyElysia;
  /** Whether the log and the metrics include the requests of the public API. */
  isPublicApiObserved: boolean;
  /** What a person sees outside the API: for an unknown address, and for any other failure. */
  pages: {
    unknownPage: (request: Request) => Promise<Response>;
    notFound: (request: Request, status: number) => Promise<Response>;
    failurePage: (failure: Failure, status: number) => Response;
  };
  failureShapes: FailureShape[];
}

/**
 * The application that handles every request, with what all of them share: the headers of a response, and what a
 * failure looks like. The public calls of game clients come first, because a hook reaches only the routes that are
 * added after it: the ones about people's requests (the log, cache headers) do not reach them.
 */
export function createApplication({
  app,
  publicUrl,
  usesTls,
  clients,
  securityLog,
  metrics,
  publicApi,
  isPublicApiObserved,
  pages,
  failureShapes,
}: Dependencies) {
  const unmatched = createUnmatched(app);
  const publicPaths = new Set(publicApi(new Elysia()).routes.map(({ path }) => path));
  const requestLog = createRequestLog({ clients, metrics, publicPaths });
  app.onRequest(createTurns());
  if (usesTls) app.onRequest(({ request }) => refuseShortHost(request));

  app.headers(commonHeaders(publicUrl)).onError(async ({ code, error, set, request, route }) => {
    const pathname = pathOfFailure(request, route);
    const refusal = code === "NOT_FOUND" && !(error instanceof Refusal) ? refusalOfUnmatched(request, set) : error;
    if (hasNoPage(refusal) && !isBelow("/api", pathname)) {
      const page = await (refusal.code === "NOT_FOUND" ? pages.unknownPage(request) : pages.notFound(request, 400));
      set.status = page.status;
      set.headers["x-request-id"] = traceOf(request).requestId;
      requestLog.finished(request, { route, status: page.status });
      return page;
    }
    if (isUncacheable(pathname)) Object.assign(set.headers, notKept);
    if (refusal instanceof Refusal && refusal.details.isHeldBack) await Bun.sleep(heldBackMs());
    const failure = failureResponse(refusal, set, { request, route: `${request.method} ${route}`, securityLog });
    requestLog.finished(request, { route, status: Number(set.status) });
    if (isOpenedByPerson(request) && !isBelow("/api", pathname)) {
      return pages.failurePage(failure, Number(set.status));
    }
    const shape = failureShapes.find(({ below }) => isBelow(below, pathname));
    return shape ? shape.shaped(failure) : failure;
  });
  if (isPublicApiObserved) app.use(requestLog.plugin);
  publicApi(app);
  return app.use(requestLog.plugin);

  function refusalOfUnmatched(request: Request, set: { headers: Record<string, string | number | undefined> }) {
    try {
      clients.admit(request, { isFound: false });
      return unmatched(request, set);
    } catch (refusal) {
      return refusal;
    }
  }
}

/** Clients send only a greeting of some fifty bytes. `idleTimeout` is in seconds. */
const websocket = { maxPayloadLength: 1_024, idleTimeout: 120 } as const;

function refuseShortHost(request: Request): void {
  if ((request.headers.get("host") ?? "").length >= hostCharactersMin) return;
  throw new Refusal("UNKNOWN_HOST", "This server does not accept that host name.");
}

let heldBack = 0;

/**
 * From 500 to 1,490 ms. Each refusal waits 10 ms longer than the last, so that requests that were refused together are
 * not all repeated together.
 */
function heldBackMs(): number {
  heldBack = (heldBack + 1) % 100;
  return 500 + 10 * heldBack;
}

/** These responses are for one person, or for this moment, so no cache keeps them (rules.md: Headers). */
function isUncacheable(pathname: string): boolean {
  return /^\/api\/(admin|reseller|auth|verify|shop)(\/|$)/.test(pathname);
}

function hasNoPage(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "INVALID_PATH");
}

/** A browser that opens an address accepts HTML. */
function isOpenedByPerson({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept") ?? "").includes("text/html");
}

function isBelow(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}

/**
 * Elysia responds 404 to every method that a path does not have. The returned function makes that a 405 if the path
 * exists for other methods. It reads the routes of `app` at the first such request, when all of them have been added.
 */
function createUnmatched(app: Pick<AnyElysia, "routes">) {
  let known: { method: string; path: RegExp }[] | null = null;

  return (request: Request, set: { headers: Record<string, string | number | undefined> }): Refusal => {
    known ??= app.routes.map(({ method, path }) => ({ method, path: patternOf(path) }));
    const pathname = URL.parse(request.url)?.pathname ?? "/";
    const methods = known.filter(({ path }) => path.test(pathname)).map(({ method }) => method);
    const allowed = [...new Set(methods)].filter((method) => method !== "WS");
    if (allowed.length === 0) return new Refusal("NOT_FOUND", "There is nothing at this address.");
    // Every GET route serves HEAD too.
    set.headers.allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
    return new Refusal("METHOD_NOT_ALLOWED", `This address accepts only ${allowed.join(", ")}.`);
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part.startsWith(":")) return "[^/]+";
    return part === "*" ? ".*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}$`);
}
