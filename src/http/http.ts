import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { Refusal } from "../refusal.ts";
import { answerFailure, type FailureShape } from "./errors.ts";
import type { Peers } from "./peer.ts";
import { createRequestLog } from "./request-log.ts";
import { createUnmatched } from "./unmatched.ts";

/**
 * What every request meets, whatever it asks for: how its path is matched, the headers of its answer, and what a failure looks like. The
 * routes are put in afterwards, because a hook reaches only those that come after it.
 */
export function createHttp({
  peers,
  websocket,
  notFoundPage,
  failureShapes,
  logLevel,
  monotonicMs,
}: {
  peers: Peers;
  /** Told to the server as a whole: Elysia does not heed it at a route. */
  websocket: { maxPayloadLength: number; idleTimeout: number };
  notFoundPage: () => Promise<Response>;
  failureShapes: FailureShape[];
  logLevel: Config["logLevel"];
  monotonicMs: () => number;
}) {
  // By default a short Host header shifts the path that is routed.
  const app = new Elysia({ strictPath: true, handler: { standardHostname: false }, websocket });
  const unmatched = createUnmatched(app);

  return app
    .onRequest(({ request, set }) => {
      set.headers["x-content-type-options"] = "nosniff";
      set.headers["referrer-policy"] = "same-origin";
      if (isPrivate(peers.addressAsked(request).pathname)) set.headers["cache-control"] = "no-store";
    })
    .onError(async ({ code, error, set, request, route }) => {
      const refusal = code === "NOT_FOUND" && !(error instanceof Refusal) ? unmatched({ request, set }) : error;
      const pathname = URL.parse(request.url)?.pathname ?? "";
      if (isNotFound(refusal) && !isBelow("/api", pathname)) return notFoundPage();
      const failure = answerFailure(refusal, set, `${request.method} ${route}`);
      const shape = failureShapes.find(({ below }) => isBelow(below, pathname));
      return shape ? shape.shaped(failure) : failure;
    })
    .use(logLevel === "debug" ? createRequestLog(monotonicMs) : new Elysia());
}

/** What these paths answer is for whoever is signed in, and no cache keeps it (decisions.md 1). */
function isPrivate(pathname: string): boolean {
  return /^\/api\/(admin|reseller|auth)(\/|$)/.test(pathname);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.code === "NOT_FOUND";
}

function isBelow(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
