import { Elysia } from "elysia";
import type { Clients } from "../client-address.ts";
import type { RequestLog } from "./request-log.ts";
import type { RequestTimings } from "./request-timings.ts";
import { traceOf } from "./trace.ts";

/** What tells the log and the metrics of every request that Elysia answers. */
export function createRequestLogPlugin({
  clients,
  timings,
  requestLog,
}: {
  clients: Clients;
  timings: RequestTimings;
  requestLog: RequestLog;
}) {
  const startedAt = new WeakMap<Request, number>();

  return new Elysia({ name: "request-log" })
    .onRequest(({ request }) => {
      startedAt.set(request, timings.ms());
      // Once it is answered nobody can tell the socket's other end.
      traceOf(request).address = clients.addressOf(request);
    })
    .onAfterResponse({ as: "global" }, ({ request, route = "no route", responseValue, set }) => {
      const { method } = request;
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200);
      const startedMs = startedAt.get(request) ?? timings.ms();
      timings.of({ method, route, status }).since(startedMs);
      requestLog.answered(request, { method, route, status, startedMs });
    });
}
