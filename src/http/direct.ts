import type { BunRequest } from "bun";
import { Refusal } from "../core/refusal.ts";
import { readBody } from "./body.ts";
import type { Clients } from "./client-address.ts";
import { answerFailure } from "./errors.ts";
import { anyOrigin, type EveryAnswer, json } from "./headers.ts";
import type { RequestLog } from "./logging/request-log.ts";
import type { RequestTimings } from "./logging/request-timings.ts";
import type { SecurityLog } from "./logging/security-log.ts";
import { givenIdOf } from "./logging/trace.ts";
import type { Failure } from "./schema.ts";
import { createYoungGarbage } from "./young-garbage.ts";

type Handler = (request: BunRequest) => Response | Promise<Response>;

/** What Bun's own router answers before Elysia is asked, by path and method. */
export type DirectRoutes = Record<string, Record<string, Handler>>;

export interface DirectRoute {
  method: "GET" | "POST";
  path: string;
  /** What an answer carries beyond the headers of every public call, refusals too. */
  headers?: Record<string, string>;
  shaped?: (failure: Failure) => Failure;
  /**
   * Is given the body of a POST, which nobody has judged yet. May throw refusals, as a handler of Elysia's may; `null` leaves a GET to Elysia.
   * What needs no waiting is answered without a promise.
   */
  answer: (request: BunRequest, body: unknown) => Response | null | Promise<Response | null>;
}

/**
 * The calls of game clients are most of all traffic, and what Elysia does for any request costs more than they do. So they are answered beside it,
 * from the same schemas, businesses, headers and words. The routes that Elysia has at the same addresses are what /swagger
 * documents, what the request log sees, and what answers where no server listens; `tests/api/direct.test.ts` holds one against the other.
 */
export function createDirect({
  headers: common,
  clients,
  securityLog,
  requestLog,
  timings,
  elysia,
  routes,
}: {
  headers: EveryAnswer;
  clients: Clients;
  securityLog: SecurityLog;
  /** Hears of what fails here: a verdict is a line only where the level is debug, and Elysia answers. */
  requestLog: Pick<RequestLog, "answered">;
  timings: RequestTimings;
  /** The whole application. */
  elysia: (request: Request) => Response | Promise<Response>;
  routes: DirectRoute[];
}): DirectRoutes {
  const garbage = createYoungGarbage();
  return Object.fromEntries(routes.map((route) => [route.path, { [route.method]: handlerOf(route) }]));

  function handlerOf({ method, path, headers, shaped, answer }: DirectRoute) {
    const timingOf = timings.ofRoute({ method, route: path });

    return async (request: BunRequest): Promise<Response> => {
      if (!clients.isForThisHost(request)) return elysia(request);
      garbage.answered();
      const startedMs = timings.ms();
      try {
        const body = method === "POST" ? await readBody(request) : undefined;
        if (body instanceof Refusal) throw body;
        const answered = answer(request, body);
        const response = answered instanceof Promise ? await answered : answered;
        if (response === null) return elysia(request);
        timingOf?.(response.status).since(startedMs);
        return named(request, response);
      } catch (error) {
        const reply = { status: 200, headers: { ...common, ...anyOrigin, ...headers, ...json } };
        const failure = answerFailure(error, reply, { request, route: `${method} ${path}`, securityLog });
        timingOf?.(reply.status).since(startedMs);
        requestLog.answered(request, { method, route: path, status: reply.status, startedMs });
        return new Response(JSON.stringify(shaped ? shaped(failure) : failure), reply);
      }
    };
  }
}

/** No line of the log tells of such an answer, so none is made up: it carries the id that the request came with. */
function named(request: Request, response: Response): Response {
  const id = givenIdOf(request);
  if (id !== null) response.headers.set("x-request-id", id);
  return response;
}
