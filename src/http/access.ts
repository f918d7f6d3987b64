import { Elysia } from "elysia";
import { Refusal } from "../refusal.ts";
import { type Caller, notSignedIn } from "../session/caller.ts";
import type { Cookies } from "../session/cookies.ts";
import type { Role } from "../session/schema.ts";
import type { Sessions } from "../session/session.ts";
import { readBody, refuseOtherType } from "./body.ts";
import type { Peers } from "./peer.ts";

/** What a page of another site may read beside the body: how long to wait, what it holds already, and the next page. */
const readableHeaders = "Retry-After, ETag, Link";

/** The part of Elysia's context that tells from which socket a request came. */
export interface Arrival {
  request: Request;
  server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The part of Elysia's context that access is decided on. */
interface Call extends Arrival {
  body?: unknown;
  query?: Record<string, unknown>;
  set: { headers: Record<string, string | number | undefined> };
}

export type Access = ReturnType<typeof createAccess>;

/**
 * Who may call a route, declared at the route: `only: "admin"`, `open: "ownPages"` or `open: "anyOrigin"`. A test
 * refuses a route that declares none. The decision is made in `transform`, which is the one hook that runs before what
 * was sent is validated; the body has been read by then, but is not judged before.
 */
export function createAccess(given: { sessions: Sessions; cookies: Cookies; peers: Peers }) {
  const { sessions, cookies, peers } = given;
  const callers = new WeakMap<Request, Caller>();
  const parse = ({ request }: { request: Request }) => readBody(request);

  const plugin = new Elysia({ name: "access" }).macro({
    only: (role: Role) => ({
      parse,
      // Arrows: of a method Elysia cannot read, once minified, which parts of the context it needs, and prints a warning.
      transform: async (call: Call) => {
        if (isUnsafe(call.request)) peers.refuseCrossSite(call.request);
        callers.set(call.request, await callerInRole(call, role));
        refuseBadBody(call);
        leaveOutEmpty(call.query);
      },
      resolve: ({ request }: { request: Request }) => ({ caller: callers.get(request) as Caller }),
    }),
    open: (pages: "ownPages" | "anyOrigin") => ({
      parse,
      transform: (call: Call) => {
        if (pages === "anyOrigin") {
          call.set.headers["access-control-allow-origin"] = "*";
          call.set.headers["access-control-expose-headers"] = readableHeaders;
        } else if (isUnsafe(call.request)) {
          peers.refuseCrossSite(call.request);
        }
        refuseBadBody(call);
        leaveOutEmpty(call.query);
      },
    }),
  });

  return Object.assign(plugin, { viewerOf, addressOf });

  async function callerInRole(call: Arrival, role: Role): Promise<Caller> {
    const caller = await viewerOf(call);
    if (!caller) throw notSignedIn();
    if (caller.role !== role) throw new Refusal("FORBIDDEN", "Your account may not do this.");
    return caller;
  }

  /** Who is signed in by the request's cookie, or `null`. */
  async function viewerOf(arrival: Arrival): Promise<Caller | null> {
    const sessionId = await cookies.sessionIdIn(arrival.request, socketAddress(arrival));
    if (sessionId === null) return null;
    const viewer = await sessions.viewer(sessionId);
    return viewer && { ...viewer, sessionId };
  }

  /** The sender's address as limits count it. */
  function addressOf(arrival: Arrival): string {
    return peers.addressOf(arrival.request, socketAddress(arrival));
  }
}

export function socketAddress({ request, server }: Arrival): string | undefined {
  return server?.requestIP(request)?.address;
}

function isUnsafe(request: Request): boolean {
  return request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS";
}

/** `?search=` is no search (decisions.md 7). */
function leaveOutEmpty(query: Record<string, unknown> | undefined): void {
  for (const name in query) if (query[name] === "") delete query[name];
}

function refuseBadBody({ request, body }: Call): void {
  if (body instanceof Refusal) throw body;
  if (isUnsafe(request)) refuseOtherType(request);
}
