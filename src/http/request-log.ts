import { getLogger } from "@logtape/logtape";
import { Elysia } from "elysia";

const log = getLogger(["latchkey", "http"]);

/**
 * A line for each answered request, for LOG_LEVEL=debug. It names the route's pattern and never the address, the
 * headers or the body: those hold keys, cookies and passwords.
 */
export function createRequestLog(monotonicMs: () => number) {
  const startedAt = new WeakMap<Request, number>();

  return new Elysia({ name: "request-log" })
    .onRequest(({ request }) => void startedAt.set(request, monotonicMs()))
    .onAfterResponse({ as: "global" }, ({ request, route = "no route", responseValue, set }) => {
      const ms = Math.round((monotonicMs() - (startedAt.get(request) ?? monotonicMs())) * 10) / 10;
      const status = responseValue instanceof Response ? responseValue.status : (set.status ?? 200);
      log.debug(`${request.method} ${route} ${status} in ${ms} ms`, { method: request.method, route, status, ms });
    });
}
