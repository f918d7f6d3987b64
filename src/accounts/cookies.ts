import { jwt } from "@elysiajs/jwt";
import { msPerSecond, type Now } from "../clock.ts";
import type { Peers } from "../http/peer.ts";
import type { Secrets } from "./sealed.ts";
import { sessionMsMax } from "./sessions.ts";

const issuer = "latchkey";
const audience = "latchkey-panel";

/** The session cookie: a signed JWT that carries nothing but a session's secret (rules.md: Session cookie). */
export interface Cookies {
  /** The secret of the session that the request claims, once signature, algorithm, issuer, audience and expiry hold. */
  sessionSecretIn(request: Request): Promise<string | null>;
  /** The value of a `Set-Cookie` header that signs the browser in. */
  signedIn(sessionSecret: string, request: Request): Promise<string>;
  /** The value of a `Set-Cookie` header that signs the browser out. */
  signedOut(request: Request): string;
}

export function createCookies({ secrets, peers, now }: { secrets: Secrets; peers: Peers; now: Now }): Cookies {
  const { sign, verify } = tokensOf(secrets.current);
  const previous = secrets.previous === null ? null : tokensOf(secrets.previous);
  // @elysiajs/jwt leaves all of this to us: without it any signed token of any age would do.
  const demanded = { algorithms: ["HS256"], issuer, audience, requiredClaims: ["exp", "jti"] };
  const lifeSeconds = sessionMsMax / msPerSecond;

  return {
    async sessionSecretIn(request) {
      const header = request.headers.get("cookie");
      if (header === null) return null;
      const token = new Bun.CookieMap(header).get(nameFor(peers.isHttps(request)));
      if (!token) return null;
      const demands = { ...demanded, currentDate: new Date(now()) };
      const claims = (await verify(token, demands)) || (await previous?.verify(token, demands));
      return claims && typeof claims.jti === "string" ? claims.jti : null;
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
      return cookie(token, lifeSeconds, peers.isHttps(request));
    },
    signedOut(request) {
      return cookie("", 0, peers.isHttps(request));
    },
  };
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
