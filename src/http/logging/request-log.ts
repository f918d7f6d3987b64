import { getLogger } from "@logtape/logtape";
import type { Clients } from "../client-address.ts";
import { createBoundedLines } from "./bounded-lines.ts";
import type { RequestTimings } from "./request-timings.ts";
import { traceOf } from "./trace.ts";

const log = getLogger(["latchkey", "http"]);

/** A flood of refused calls must not fill the disk. What comes beyond is counted. */
const failedLinesPerSecondMax = 100;

export interface Answered {
  method: string;
  /** The route's pattern: an address itself may hold a key, and is not logged. */
  route: string;
  status: number;
  /** By the clock of the timings. */
  startedMs: number;
}

export interface RequestLog {
  /** A line for an answered request: writes and failures at info, the rest at debug. */
  answered(request: Request, answered: Answered): void;
}

/**
 * One line for each request. It names the route's pattern and never the address, the headers or the body: those hold keys, cookies and
 * passwords. `gameClientRoutes` are what every start of a game asks: none of them counts as a write.
 */
export function createRequestLog({
  clients,
  timings,
  gameClientRoutes,
}: {
  clients: Clients;
  timings: RequestTimings;
  gameClientRoutes: ReadonlySet<string>;
}): RequestLog {
  const tellFailed = createBoundedLines({
    perSecondMax: failedLinesPerSecondMax,
    write: (line: Line, count) => log.info(line.text, { ...line.properties, count }),
  });

  return { answered };

  function answered(request: Request, { method, route, status, startedMs }: Answered): void {
    const isFailure = status >= 400;
    const isWrite = isUnsafe(method) && !gameClientRoutes.has(route);
    if (!log.isEnabledFor(isFailure || isWrite ? "info" : "debug")) return;
    const { requestId, account, address = clients.addressOf(request) } = traceOf(request);
    const ms = Math.round((timings.ms() - startedMs) * 10) / 10;
    const text = `${method} ${route} ${status}`;
    const properties = { requestId, method, route, status, ms, address, account };
    if (isFailure) tellFailed({ text, properties });
    else if (isWrite) log.info(text, properties);
    else log.debug(text, properties);
  }
}

interface Line {
  text: string;
  properties: object;
}

function isUnsafe(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}
