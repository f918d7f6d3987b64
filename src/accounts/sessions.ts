import { jwt } from "@elysiajs/jwt";
import { LRUCache } from "lru-cache";
import { isoOf, msPerDay, msPerMinute, msPerSecond, type Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, Sql, Unit } from "../db/contract.ts";
import { bearerIn, type Clients, type Origin } from "../http/request.ts";
import type { OwnSession } from "./account-schema.ts";
import { userOf } from "./account-store.ts";
import { type AuditedChanges, happened, type PersonCaller, unchanged } from "./audited-changes.ts";
import { addressKnownMs } from "./passwords/wrong-passwords.ts";
import type { Viewer } from "./principal.ts";
import type { Secrets } from "./sealed.ts";
import * as store from "./store.ts";

/** A session ends after 7 idle days, or 30 days after it was opened (rules.md: Sessions). */
const idleMsMax = 7 * msPerDay;
export const sessionMsMax = 30 * msPerDay;

/** As long as an address stays known. */
const deviceMsMax = addressKnownMs;

/** Being seen is written at most this often, because every write waits for the disk. */
const touchEveryMs = 5 * msPerMinute;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  return {
    /**
     * Returns the account of the session whose secret the cookie carries, or null once the session has ended for any
     * reason.
     */
    async viewer(sessionSecret: string): Promise<Viewer | null> {
      const at = now();
      const found = await store.viewerOf(database.read, { secret: sessionSecret, ...liveSince(at) });
      if (!found) return null;
      const { lastSeenAt, sessionId } = found;
      const viewer = { ...userOf(found), sessionId };
      if (at - lastSeenAt > touchEveryMs) {
        // A full disk must not keep people from reading: the next request tries again.
        await database.transaction(null, ({ sql }) => store.touchSession(sql, { id: sessionId, at })).catch(() => {});
      }
      return viewer;
    },

    async signOut(origin: Origin, sessionSecret: string) {
      await changes.carryOut(origin, async ({ sql }) => {
        const account = await store.accountOf(sql, sessionSecret);
        if (!account) return unchanged(undefined);
        const ended = await store.endSessionWith(sql, sessionSecret);
        return happened("signed_out", { account, ended }, undefined);
      });
    },

    /** Returns the caller's own sessions, newest first. */
    async list(caller: PersonCaller): Promise<OwnSession[]> {
      const rows = await store.listSessions(database.read, { accountId: caller.id, ...liveSince(now()) });
      return rows.map(({ id, createdAt, lastSeenAt, address, userAgent }) => ({
        id,
        current: id === caller.sessionId,
        address,
        userAgent,
        createdAt: isoOf(createdAt),
        lastSeenAt: isoOf(lastSeenAt),
      }));
    },

    /** Ends one of the caller's own sessions. Throws `NOT_FOUND`. */
    async end(caller: PersonCaller, sessionId: number) {
      await endSessions(caller, async (sql) => {
        const ended = await store.endSession(sql, { id: sessionId, accountId: caller.id });
        if (ended.length === 0) throw new Refusal("NOT_FOUND", "There is no such session.");
        return ended;
      });
    },

    /** Ends all of the caller's sessions except the one that made the call. */
    async endOthers(caller: PersonCaller) {
      const others = { accountId: caller.id, exceptId: caller.sessionId };
      await endSessions(caller, (sql) => store.endSessionsOf(sql, others));
    },
  };

  /** Not counted: a thief of a session must not use up the changes with which its owner ends it. */
  function endSessions(caller: PersonCaller, end: (sql: Sql) => Promise<number[]>): Promise<void> {
    const work = async ({ sql }: Unit) => {
      const ended = await end(sql);
      return ended.length === 0
        ? unchanged(undefined)
        : happened("sessions_ended", { account: caller, ended }, undefined);
    };
    return changes.carryOut(caller, work, { isCounted: false });
  }
}

/** The bounds that a session must be within to be live at this instant. */
export function liveSince(at: number): store.LiveSince {
  return { seenAfter: at - idleMsMax, createdAfter: at - sessionMsMax };
}

const issuer = "latchkey";

/** Each takes some 500 bytes. */
const tokensKnownMax = 2_000;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * The session cookie carries nothing but a session's secret (rules.md: Sessions), the device cookie nothing but the
 * name of a browser that has signed in (rules.md: Wrong passwords).
 */
export function createCookies(dependencies: CookieDependencies) {
  const session = createSignedCookie(
    { name: "session", audience: "latchkey-panel", lifeMs: sessionMsMax },
    dependencies,
  );
  const device = createSignedCookie({ name: "device", audience: "latchkey-device", lifeMs: deviceMsMax }, dependencies);

  return {
    sessionSecretIn: session.read,
    deviceIn: device.read,
    /** Returns the values of the `Set-Cookie` headers that sign the browser in. */
    signedIn: async (signedIn: { sessionSecret: string; device: string }, request: Request) => [
      await session.write(signedIn.sessionSecret, request),
      await device.write(signedIn.device, request),
    ],
    /** Returns the value of a `Set-Cookie` header that signs the browser out. It stays known. */
    signedOut: session.remove,
  };
}

interface Claims {
  value: string;
  expiresAt: number;
}

type CookieDependencies = { secrets: Secrets; clients: Clients; now: Now };

/** A cookie with a value in a signed JWT, which is not valid as another cookie. */
function createSignedCookie(
  { name, audience, lifeMs }: { name: CookieName; audience: string; lifeMs: number },
  { secrets, clients, now }: CookieDependencies,
) {
  const { sign, verify } = tokensOf(secrets.current);
  const previous = secrets.previous === null ? null : tokensOf(secrets.previous);
  // @elysiajs/jwt checks none of this by itself: without it any signed token of any age would be accepted.
  const demanded = { algorithms: ["HS256"], issuer, audience, requiredClaims: ["exp", "jti"] };
  const lifeSeconds = lifeMs / msPerSecond;
  /**
   * Each signature is checked once: checking takes as long as the rest of the access check, and an open panel sends the
   * same one each time.
   */
  const known = new LRUCache<string, Claims>({ max: tokensKnownMax });

  return {
    /**
     * Returns the request's value if its token's signature, algorithm, issuer, audience and expiry hold, or null. A
     * request with a bearer token is that of a program, whatever its cookies.
     */
    async read(request: Request): Promise<string | null> {
      const header = request.headers.get("cookie");
      if (header === null || bearerIn(request) !== null) return null;
      // Another application on this host may have a cookie of the same name.
      for (const token of valuesOf(header, cookieName(name, clients.isHttps(request)))) {
        const claims = known.get(token) ?? (await checked(token));
        if (claims && claims.expiresAt > now()) return claims.value;
      }
      return null;
    },
    async write(value: string, request: Request): Promise<string> {
      const exp = Math.floor(now() / msPerSecond) + lifeSeconds;
      const token = await sign({ jti: value, iss: issuer, aud: audience, exp, iat: false });
      return cookie(token, lifeSeconds, clients.isHttps(request));
    },
    remove: (request: Request): string => cookie("", 0, clients.isHttps(request)),
  };

  /** Caches valid tokens only, so forged ones do not fill the cache. */
  async function checked(token: string): Promise<Claims | null> {
    const demands = { ...demanded, currentDate: new Date(now()) };
    const payload = (await verify(token, demands)) || (await previous?.verify(token, demands));
    if (!payload || typeof payload.jti !== "string" || typeof payload.exp !== "number") return null;
    const claims = { value: payload.jti, expiresAt: payload.exp * msPerSecond };
    known.set(token, claims);
    return claims;
  }

  function cookie(value: string, maxAgeSeconds: number, secure: boolean): string {
    const options = { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: maxAgeSeconds } as const;
    return new Bun.Cookie(cookieName(name, secure), value, options).toString();
  }
}

type CookieName = "session" | "device";

/** On https the name itself makes the browser insist on Secure and on this very host. */
export function cookieName(name: CookieName, https: boolean): string {
  return https ? `__Host-${name}` : name;
}

function tokensOf(secret: string) {
  return jwt({ name: "token", secret }).decorator.token;
}

/** A bound on the signatures that one request can have checked. */
const cookiesMax = 5;

/** The values of the first cookies of this name, in the order of the header. */
function valuesOf(header: string, name: string): string[] {
  return header
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1))
    .slice(0, cookiesMax);
}
