import { Elysia } from "elysia";
import { countedAs } from "../core/fair-semaphore.ts";
import { Refusal } from "../core/refusal.ts";
import { readBody, readTableBody, unreadBody } from "../http/body.ts";
import { packJson } from "../http/compression.ts";
import { traceOf } from "../http/logging/request-log.ts";
import type { CreatePace } from "../http/rate-limit.ts";
import { bearerIn, type Clients, isUnsafe, type Origin } from "../http/request.ts";
import { notKept, type TimedCall } from "../http/response.ts";
import type { Place } from "./account-store.ts";
import { type ApiKeys, apiKeyPrefix } from "./api-keys/api-keys.ts";
import type { Caller, PersonCaller } from "./audited-changes.ts";
import { isProgram, notSignedIn, type Principal, type Program, refuseWithout, type Viewer } from "./principal.ts";
import type { Role } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import type { Cookies, Sessions } from "./sessions.ts";

/** The part of Elysia's context that access decisions use. */
interface Call extends TimedCall {
  body?: unknown;
  query?: Record<string, unknown>;
  set: { headers: Record<string, string | number | undefined> };
}

export type Access = ReturnType<typeof createAccess>;

interface Dependencies {
  sessions: Sessions;
  cookies: Cookies;
  apiKeys: Pick<ApiKeys, "authenticate">;
  clients: Clients;
  /** Brings up to date what is due by now, before a call of a person who is signed in reads or changes it. */
  beforeCalls: () => Promise<void>;
  createPace: CreatePace;
}

/** rules.md: Shares. For the requests of one reseller and its programs. Public calls do not count. */
const resellerPace = { atOnce: 600, perSecond: 100 };

/**
 * Who may make a call in which role, and the scope that a program needs for it: `any` is for every program, null for
 * none. A staff account needs it as a right, or one of `rights`.
 */
type Allowed = readonly [who: Role | "signedIn", scope: Scope | "any" | null, rights?: readonly Scope[]];

/** Who may make a call: `ownPages`, `anyOrigin` and `shops` need no sign-in. */
export type CallersOf = Allowed[0] | "ownPages" | "anyOrigin" | "shops";

/**
 * Each route declares who may call it: `only: ["admin", "keys:read"]` (admins, and their programs and staff with that
 * scope; `signedIn` is either role), `onlyPeople: "admin"` (no program and no staff), `onlyPeopleWithTable` (the same for
 * a change whose body has rows), `onlyPeopleWithFile` (the handler reads the body, which is a file), `open: "ownPages"`,
 * `open: "anyOrigin"` or `open: "shops"` (the handler reads and checks the body). A test fails for a route that declares
 * none. The decision is made in `transform`, the only hook that runs before validation; a body is read after it, so that
 * strangers cause no work.
 */
export function createAccess({ sessions, cookies, apiKeys, clients, beforeCalls, createPace }: Dependencies) {
  const paceOfReseller = createPace(resellerPace);
  const callers = new WeakMap<Request, Caller>();
  const verifiers = new WeakMap<Request, Program>();
  /** The program whose verification `readVerification` has read. */
  const verifierIn = (request: Request) => verifiers.get(request);
  // The hooks destructure what they use: Elysia reads that from their source and builds the rest of the context
  // (cookies, headers, server) only for calls that need it. They are functions because Elysia cannot read a
  // minified method.
  const plugin = new Elysia({ name: "access" }).macro({
    only: (allowed: Allowed) => admitting<Caller>(allowed, readBody),
    onlyPeople: (who: Role | "signedIn") => admitting<PersonCaller & Place>([who, null], readBody),
    onlyPeopleWithTable: (who: Role) => admitting<PersonCaller & Place>([who, null], readTableBody),
    onlyPeopleWithFile: (who: Role) => admitting<PersonCaller & Place>([who, null], async () => {}),
    // A socket's own `open`, a function, comes here too.
    open: (to: "ownPages" | "anyOrigin" | "shops") => ({
      detail: needing(to, to === "ownPages" || to === "shops" ? null : "any"),
      parse: unreadBody,
      transform: to === "ownPages" ? admitOwnPages : to === "shops" ? admitShops : admitAnyOrigin,
    }),
  });

  return Object.assign(plugin, {
    viewerOf,
    viewerBy,
    verifierOf,
    readVerification,
    verifierIn,
    originOf,
    sessionSecretIn: cookies.sessionSecretIn,
    addressOf: clients.addressOf,
  });

  function admitting<Admitted extends Caller>(allowed: Allowed, read: typeof readBody) {
    const [who, scope] = allowed;
    return {
      detail: needing(who, scope),
      parse: unreadBody,
      transform: async ({ request, body, query, set, server }: Call) => {
        Object.assign(set.headers, notKept);
        callers.set(request, await callerAllowed(request, allowed));
        await read({ request, body, server });
        leaveOutEmpty(query);
      },
      resolve: ({ request }: { request: Request }) => ({ caller: callers.get(request) as Admitted }),
      mapResponse: packJson,
    };
  }

  async function admitOwnPages({ request, body, query, set, server }: Call) {
    Object.assign(set.headers, notKept);
    if (isUnsafe(request)) await refuseOthers(request);
    await readBody({ request, body, server });
    leaveOutEmpty(query);
  }

  /** Signing in and out, and registering, are for people on our own pages. */
  async function refuseOthers(request: Request): Promise<void> {
    const apiKey = bearerIn(request);
    if (apiKey === null) return clients.refuseCrossSite(request);
    withScope(await programWith(apiKey, request), null);
  }

  /** For lists that game clients read at every start. It reads no body. */
  async function admitAnyOrigin({ request, query, set }: Call) {
    clients.admitAnyOrigin({ request, set });
    await programOf(request);
    leaveOutEmpty(query);
  }

  /** Shops send neither a cookie nor an API key, and sign what they send. */
  function admitShops({ set }: Call) {
    Object.assign(set.headers, notKept);
  }

  async function callerAllowed(request: Request, allowed: Allowed): Promise<Caller> {
    const [who, scope] = allowed;
    const apiKey = bearerIn(request);
    if (apiKey === null && isUnsafe(request)) clients.refuseCrossSite(request);
    const principal = apiKey === null ? await viewerOf(request) : await paced(() => programWith(apiKey, request));
    if (!principal) throw notSignedIn();
    if (who !== "signedIn" && principal.role !== who)
      throw new Refusal("FORBIDDEN", "Your account is not allowed to do this.");
    const needs = principal.rights === null ? undefined : rightsFor(allowed);
    if (isProgram(principal)) withScope(principal, scope);
    else if (principal.rights && needs) refuseWithout(needs, principal.rights);
    // A full disk must not keep people from reading: the next call tries again.
    await beforeCalls().catch(() => {});
    const device = scope === null ? { device: await cookies.deviceIn(request) } : {};
    return { ...principal, ...originOf(request), ...device, ...(needs && { needs }) };
  }

  /**
   * Returns the program that makes a public call, or null if it sent no API key. Without one there is no promise, because
   * game clients do not wait. Throws what `ApiKeys.authenticate` throws.
   */
  function programOf(request: Request): Promise<Program> | null {
    const token = bearerIn(request);
    return token?.startsWith(apiKeyPrefix) ? programWith(token, request) : null;
  }

  /** The same for verification, which needs its scope. Throws `SCOPE_MISSING` too. */
  function verifierOf(request: Request): Promise<Program> | null {
    return programOf(request)?.then((program) => withScope(program, "verify")) ?? null;
  }

  /**
   * A `transform` hook that reads the body of a verification, after the access check of a program. It is not async,
   * because game clients have no check to wait for.
   */
  function readVerification({ request, body, server }: Call): Promise<void> {
    const verifier = verifierOf(request);
    if (verifier === null) return readBody({ request, body, server });
    return verifier.then((program) => {
      verifiers.set(request, program);
      return readBody({ request, body, server });
    });
  }

  async function programWith(apiKey: string, request: Request): Promise<Program> {
    const program = await apiKeys.authenticate(apiKey, clients.exactAddressOf(request));
    Object.assign(traceOf(request), { account: program.username, apiKey: program.apiKey.name });
    return program;
  }

  /** Returns the account that the request's cookie signs in, or null. */
  async function viewerOf(request: Request): Promise<Viewer | null> {
    const sessionSecret = await cookies.sessionSecretIn(request);
    const viewer = await paced(() => viewerBy(sessionSecret));
    if (viewer) traceOf(request).account = viewer.username;
    return viewer;
  }

  /** A session or an API key may end while its request waits, so it is looked up again. */
  async function paced<Someone extends Principal | null>(find: () => Promise<Someone>): Promise<Someone> {
    const someone = await find();
    const hasWaited = someone?.role === "reseller" && (await paceOfReseller(countedAs(someone)));
    return hasWaited ? find() : someone;
  }

  async function viewerBy(sessionSecret: string | null): Promise<Viewer | null> {
    return sessionSecret === null ? null : sessions.viewer(sessionSecret);
  }

  function originOf(request: Request): Origin {
    return { address: clients.addressOf(request), requestId: traceOf(request).requestId };
  }
}

/** For the document: who may make a call, and the scope with which a program may (rules.md: API keys). */
function needing(who: CallersOf, scope: Allowed[1]): object {
  return { "x-callers": who, "x-scope": scope };
}

/** A staff account needs one of these rights for a call; undefined if it needs none (rules.md: Staff). */
function rightsFor([who, scope, rights]: Allowed): readonly Scope[] | undefined {
  if (who === "signedIn" || scope === "any") return undefined;
  return rights ?? (scope === null ? [] : [scope]);
}

/** Returns the program if it has the scope. Throws `API_KEY_NOT_ALLOWED` or `SCOPE_MISSING`. */
function withScope(program: Program, scope: Allowed[1]): Program {
  if (scope === null) throw new Refusal("API_KEY_NOT_ALLOWED", "No API key may make this call.");
  if (scope === "any" || program.apiKey.scopes.includes(scope)) return program;
  throw new Refusal("SCOPE_MISSING", `This API key needs the scope ${scope} for this call.`);
}

/** `?search=` means no search (rules.md: Bodies). */
function leaveOutEmpty(query: Record<string, unknown> | undefined): void {
  for (const name in query) if (query[name] === "") delete query[name];
}
