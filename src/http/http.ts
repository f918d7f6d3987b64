import { Elysia } from "elysia";
import { Refusal } from "../core/refusal.ts";
import type { Clients } from "./client-address.ts";
import { answerFailure, type FailureShape } from "./errors.ts";
import { type EveryAnswer, notKept } from "./headers.ts";
import type { RequestLog } from "./logging/request-log.ts";
import { createRequestLogPlugin } from "./logging/request-log-plugin.ts";
import type { RequestTimings } from "./logging/request-timings.ts";
import type { SecurityLog } from "./logging/security-log.ts";
import { traceOf } from "./logging/trace.ts";
import { pathAdapter } from "./path-adapter.ts";
import type { Failure } from "./schema.ts";
import { createUnmatched } from "./unmatched.ts";

/** What a person sees outside the API. */
interface Pages {
  /** Of a path that is no route. */
  unknownPage: (request: Request) => Promise<Response>;
  /** Of any other failure. */
  failurePage: (failure: Failure, status: number) => Response;
}

/**
 * What every request meets, whatever it asks for: how its path is matched, the headers of its answer, and what a failure looks like. The
 * routes are put in afterwards, because a hook reaches only those that come after it.
 */
export function createHttp({
  headers,
  clients,
  securityLog,
  pages,
  failureShapes,
  requestLog,
  timings,
}: {
  headers: EveryAnswer;
  clients: Clients;
  securityLog: SecurityLog;
  pages: Pages;
  failureShapes: FailureShape[];
  requestLog: RequestLog;
  timings: RequestTimings;
}) {
  // By default a short Host header shifts the path that is routed.
  const handler = { standardHostname: false };
  const app = new Elysia({ adapter: pathAdapter, strictPath: true, handler });
  const unmatched = createUnmatched(app);

  return app
    .use(createRequestLogPlugin({ clients, timings, requestLog }))
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, headers, { "x-request-id": traceOf(request).requestId });
      if (isKeptByNobody(clients.requestedUrl(request).pathname)) Object.assign(set.headers, notKept);
    })
    .onError(async ({ code, error, set, request, route }) => {
      const refusal = code === "NOT_FOUND" && !(error instanceof Refusal) ? unmatched({ request, set }) : error;
      const pathname = URL.parse(request.url)?.pathname ?? "";
      if (isNotFound(refusal) && !isBelow("/api", pathname)) {
        const page = await pages.unknownPage(request);
        set.status = page.status;
        return page;
      }
      const failure = answerFailure(refusal, set, { request, route: `${request.method} ${route}`, securityLog });
      if (isOpenedByPerson(request) && !isBelow("/api", pathname)) {
        return pages.failurePage(failure, Number(set.status));
      }
      const shape = failureShapes.find(({ below }) => isBelow(below, pathname));
      return shape ? shape.shaped(failure) : failure;
    });
}

/** What these paths answer is for whoever is signed in, or of this moment, and no cache keeps it (rules.md: Cache headers). */
function isKeptByNobody(pathname: string): boolean {
  return /^\/api\/(admin|reseller|auth|verify)(\/|$)/.test(pathname);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.code === "NOT_FOUND";
}

/** A browser that goes to an address says that it wants a page. */
function isOpenedByPerson({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept") ?? "").includes("text/html");
}

function isBelow(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
