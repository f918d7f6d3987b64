import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { Refusal } from "../refusal.ts";
import { answerFailure, type FailureShape } from "./errors.ts";
import type { Peers } from "./peer.ts";
import { createRequestLog } from "./request-log.ts";
import type { SecurityLog } from "./security-log.ts";
import { createUnmatched } from "./unmatched.ts";

/** How long a browser asks for nothing but https once it has seen it: two years, as is usual. */
const httpsSeconds = 63_072_000;

/**
 * What every request meets, whatever it asks for: how its path is matched, the headers of its answer, and what a failure looks like. The
 * routes are put in afterwards, because a hook reaches only those that come after it.
 */
export function createHttp({
  publicUrl,
  peers,
  securityLog,
  websocket,
  unknownPage,
  failureShapes,
  logLevel,
  monotonicMs,
}: {
  publicUrl: Config["publicUrl"];
  peers: Peers;
  securityLog: SecurityLog;
  /** Told to the server as a whole: Elysia does not heed it at a route. */
  websocket: { maxPayloadLength: number; idleTimeout: number };
  /** What a path that is no route shows, outside the API. */
  unknownPage: (request: Request) => Promise<Response>;
  failureShapes: FailureShape[];
  logLevel: Config["logLevel"];
  monotonicMs: () => number;
}) {
  // By default a short Host header shifts the path that is routed.
  const app = new Elysia({ strictPath: true, handler: { standardHostname: false }, websocket });
  const unmatched = createUnmatched(app);
  const onEveryAnswer = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    // For JSON and files. A page's answer brings its own policy, which stands in the place of this one.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === "https:" && { "strict-transport-security": `max-age=${httpsSeconds}` }),
  };

  return app
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, onEveryAnswer);
      if (isPrivate(peers.addressAsked(request).pathname)) set.headers["cache-control"] = "no-store";
    })
    .onError(async ({ code, error, set, request, route }) => {
      const refusal = code === "NOT_FOUND" && !(error instanceof Refusal) ? unmatched({ request, set }) : error;
      const pathname = URL.parse(request.url)?.pathname ?? "";
      if (isNotFound(refusal) && !isBelow("/api", pathname)) return unknownPage(request);
      const failure = answerFailure(refusal, set, { request, route: `${request.method} ${route}`, securityLog });
      const shape = failureShapes.find(({ below }) => isBelow(below, pathname));
      return shape ? shape.shaped(failure) : failure;
    })
    .use(logLevel === "debug" ? createRequestLog(monotonicMs) : new Elysia());
}

/** What these paths answer is for whoever is signed in, or of this moment, and no cache keeps it (rules.md: Cache headers). */
function isPrivate(pathname: string): boolean {
  return /^\/api\/(admin|reseller|auth|verify)(\/|$)/.test(pathname);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.code === "NOT_FOUND";
}

function isBelow(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
