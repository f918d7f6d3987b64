import { Elysia } from "elysia";
import { readBody, refuseOtherType } from "../http/body.ts";
import { anyOrigin } from "../http/headers.ts";
import type { Peers } from "../http/peer.ts";
import { Refusal } from "../refusal.ts";
import { type Caller, notSignedIn } from "./caller.ts";
import type { Cookies } from "./cookies.ts";
import type { Role } from "./schema.ts";
import type { Sessions } from "./sessions.ts";

/** The part of Elysia's context that access is decided on. */
interface Call {
  request: Request;
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

  // The hooks name what they take: Elysia reads that off their text, and makes the rest of the context (cookies, headers, a server)
  // for no call that does not need it. They are arrows, because once minified it cannot read a method.
  const plugin = new Elysia({ name: "access" }).macro({
    only: (role: Role) => ({
      parse,
      transform: async ({ request, body, query }: Call) => {
        if (isUnsafe(request)) peers.refuseCrossSite(request);
        callers.set(request, await callerInRole(request, role));
        refuseBadBody(request, body);
        leaveOutEmpty(query);
      },
      resolve: ({ request }: { request: Request }) => ({ caller: callers.get(request) as Caller }),
    }),
    open: (pages: "ownPages" | "anyOrigin") => ({
      parse,
      transform: ({ request, body, query, set }: Call) => {
        if (pages === "anyOrigin") {
          Object.assign(set.headers, anyOrigin);
        } else if (isUnsafe(request)) {
          peers.refuseCrossSite(request);
        }
        refuseBadBody(request, body);
        leaveOutEmpty(query);
      },
    }),
  });

  return Object.assign(plugin, {
    viewerOf,
    viewerBy,
    bodyOf,
    sessionIdIn: cookies.sessionIdIn,
    addressOf: peers.addressOf,
  });

  /** The body of an open call, where no hook has read it. Throws what the hooks throw. */
  async function bodyOf(request: Request): Promise<unknown> {
    const body = await readBody(request);
    refuseBadBody(request, body);
    return body;
  }

  async function callerInRole(request: Request, role: Role): Promise<Caller> {
    const caller = await viewerOf(request);
    if (!caller) throw notSignedIn();
    if (caller.role !== role) throw new Refusal("FORBIDDEN", "Your account may not do this.");
    return caller;
  }

  /** Who is signed in by the request's cookie, or `null`. */
  async function viewerOf(request: Request): Promise<Caller | null> {
    return viewerBy(await cookies.sessionIdIn(request));
  }

  async function viewerBy(sessionId: string | null): Promise<Caller | null> {
    if (sessionId === null) return null;
    const viewer = await sessions.viewer(sessionId);
    return viewer && { ...viewer, sessionId };
  }
}

function isUnsafe(request: Request): boolean {
  return request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS";
}

/** `?search=` is no search (decisions.md 7). */
function leaveOutEmpty(query: Record<string, unknown> | undefined): void {
  for (const name in query) if (query[name] === "") delete query[name];
}

function refuseBadBody(request: Request, body: unknown): void {
  if (body instanceof Refusal) throw body;
  if (isUnsafe(request)) refuseOtherType(request);
}
