import { getLogger } from "@logtape/logtape";
import { Elysia } from "elysia";
import type { Metrics } from "../../core/metrics.ts";
import { type Clients, givenRequestId, isUnsafe } from "../request.ts";
import { createBoundedLines, linesPerSecondMax } from "./bounded-lines.ts";

const log = getLogger(["latchkey", "http"]);

interface Outcome {
  /** The route's pattern: an address may hold a key, and is not logged. */
  route: string | undefined;
  status: number;
}

interface Line {
  text: string;
  properties: object;
}

type Dependencies = { clients: Clients; metrics: Metrics; publicPaths: ReadonlySet<string> };

/**
 * One line for each request, and its time for the metrics: writes and failures at info, of which a flood is counted in
 * one line, the rest at debug. A line names
 * the route's pattern and never the address, the headers or the body, which hold keys, cookies and passwords. The calls
 * at `publicPaths` are made at every start of a game, so none of them counts as a write.
 */
export function createRequestLog({ clients, metrics, publicPaths }: Dependencies) {
  const timingOf = metrics.timing({
    name: "latchkey_http_request_seconds",
    help: "From the arrival of a request to its response. A route is a pattern; game clients' calls are timed if METRICS_TOKEN is set.",
    labels: ["method", "route", "status"],
  });
  const startedAt = new WeakMap<Request, number>();
  const finishedRequests = new WeakSet<Request>();
  const write = ({ text, properties }: Line, count: number) => log.info(text, { ...properties, count });
  const logFailure = createBoundedLines(linesPerSecondMax, write);
  const logWrite = createBoundedLines(linesPerSecondMax, write);

  const plugin = new Elysia({ name: "request-log" })
    .onTransform({ as: "global" }, ({ request, set }) => {
      startedAt.set(request, metrics.ms());
      // Asked for the log, while the socket has it.
      clients.addressOf(request);
      set.headers["x-request-id"] = traceOf(request).requestId;
      clients.admit(request, { isFound: true });
    })
    .onAfterResponse({ as: "global" }, ({ request, route, responseValue, set }) => {
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200);
      finished(request, { route, status });
    });

  return { plugin, finished };

  /**
   * Elysia does not run the plugin's last hook for each failure, so the error handler calls this too. The first call
   * counts.
   */
  function finished(request: Request, { route = "no route", status }: Outcome): void {
    if (finishedRequests.has(request)) return;
    finishedRequests.add(request);
    const { method } = request;
    const startedMs = startedAt.get(request) ?? metrics.ms();
    timingOf({ method, route, status: String(status) }).since(startedMs);
    const isFailure = status >= 400;
    const isWrite = isUnsafe(request) && !publicPaths.has(route);
    if (!log.isEnabledFor(isFailure || isWrite ? "info" : "debug")) return;
    const { requestId, account, apiKey } = traceOf(request);
    const address = clients.addressOf(request);
    const ms = Math.round((metrics.ms() - startedMs) * 10) / 10;
    const text = `${method} ${route} ${status}`;
    const properties = { requestId, method, route, status, ms, address, account, ...(apiKey && { apiKey }) };
    if (isFailure) logFailure({ text, properties });
    else if (isWrite) logWrite({ text, properties });
    else log.debug(text, properties);
  }
}

/** What the log knows about a request. */
interface Trace {
  /** Its id in the log and in the `X-Request-Id` of the response. */
  readonly requestId: string;
  /** The username of the signed-in account, after the access check. */
  account: string | null;
  /** The name of the API key that a program sent. */
  apiKey?: string;
}

const traces = new WeakMap<Request, Trace>();

/** Returns the same trace for the same request. */
export function traceOf(request: Request): Trace {
  const known = traces.get(request);
  if (known) return known;
  const trace: Trace = { requestId: givenRequestId(request) ?? crypto.randomUUID(), account: null };
  traces.set(request, trace);
  return trace;
}
