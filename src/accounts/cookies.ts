import { jwt } from "@elysiajs/jwt";
import { LRUCache } from "lru-cache";
import { msPerSecond, type Now } from "../core/clock.ts";
import type { Clients } from "../http/client-address.ts";
import type { Secrets } from "./sealed.ts";
import { sessionMsMax } from "./sessions.ts";

const issuer = "latchkey";
const audience = "latchkey-panel";

/** Of some 500 bytes each. */
const tokensKnownMax = 2_000;

/** What a good token says. */
interface Claims {
  sessionSecret: string;
  expiresAt: number;
}

/** The session cookie: a signed JWT that carries nothing but a session's secret (rules.md: Session cookie). */
export interface Cookies {
  /** The secret of the session that the request claims, once signature, algorithm, issuer, audience and expiry hold. */
  sessionSecretIn(request: Request): Promise<string | null>;
  /** The value of a `Set-Cookie` header that signs the browser in. */
  signedIn(sessionSecret: string, request: Request): Promise<string>;
  /** The value of a `Set-Cookie` header that signs the browser out. */
  signedOut(request: Request): string;
}

export function createCookies({ secrets, clients, now }: { secrets: Secrets; clients: Clients; now: Now }): Cookies {
  const { sign, verify } = tokensOf(secrets.current);
  const previous = secrets.previous === null ? null : tokensOf(secrets.previous);
  // @elysiajs/jwt leaves all of this to us: without it any signed token of any age would do.
  const demanded = { algorithms: ["HS256"], issuer, audience, requiredClaims: ["exp", "jti"] };
  const lifeSeconds = sessionMsMax / msPerSecond;
  /** A signature is checked once: that takes as long as all else that access asks, and each call of an open panel brings the same one. */
  const known = new LRUCache<string, Claims>({ max: tokensKnownMax });

  return {
    async sessionSecretIn(request) {
      const header = request.headers.get("cookie");
      if (header === null) return null;
      const token = new Bun.CookieMap(header).get(nameFor(clients.isHttps(request)));
      if (!token) return null;
      const claims = known.get(token) ?? (await checked(token));
      return claims && claims.expiresAt > now() ? claims.sessionSecret : null;
    },
    async signedIn(sessionSecret, request) {
      const issuedAt = Math.floor(now() / msPerSecond);
      const token = await sign({
        jti: sessionSecret,
        iss: issuer,
        aud: audience,
        exp: issuedAt + lifeSeconds,
        iat: false,
      });
      return cookie(token, lifeSeconds, clients.isHttps(request));
    },
    signedOut(request) {
      return cookie("", 0, clients.isHttps(request));
    },
  };

  /** Only a good token is remembered, so nobody fills that memory but who was signed in. */
  async function checked(token: string): Promise<Claims | null> {
    const demands = { ...demanded, currentDate: new Date(now()) };
    const payload = (await verify(token, demands)) || (await previous?.verify(token, demands));
    if (!payload || typeof payload.jti !== "string" || typeof payload.exp !== "number") return null;
    const claims = { sessionSecret: payload.jti, expiresAt: payload.exp * msPerSecond };
    known.set(token, claims);
    return claims;
  }
}

function tokensOf(secret: string) {
  return jwt({ name: "token", secret }).decorator.token;
}

/** On https the name itself makes the browser insist on Secure and on this very host. */
function nameFor(https: boolean): string {
  return https ? "__Host-session" : "session";
}

function cookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: maxAgeSeconds } as const;
  return new Bun.Cookie(nameFor(secure), value, options).toString();
}
