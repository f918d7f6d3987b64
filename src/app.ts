import { Elysia } from "elysia";
import { createAccess } from "./accounts/access.ts";
import { createCookies } from "./accounts/cookies.ts";
import { createPasswords } from "./accounts/passwords.ts";
import { createSessions } from "./accounts/sessions.ts";
import { createWrongPasswords } from "./accounts/wrong-passwords.ts";
import { createApi } from "./api.ts";
import { createBackup } from "./backup/backup.ts";
import type { Now } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { readAssetManifest } from "./http/asset-manifest.ts";
import { createAssets } from "./http/assets.ts";
import { openApiDocument } from "./http/docs.ts";
import { answerFailure } from "./http/errors.ts";
import { createPeers } from "./http/peer.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createUnmatched } from "./http/unmatched.ts";
import { createGuesses } from "./keys/guesses.ts";
import type { RandomBytes } from "./keys/key-string.ts";
import { createKeys } from "./keys/keys.ts";
import { createPurchase } from "./keys/purchase.ts";
import { createVerify } from "./keys/verify.ts";
import { verifyPath } from "./keys/verify-routes.ts";
import { createLive } from "./live/live.ts";
import { createLiveRoutes, liveSocket } from "./live/routes.ts";
import { createOverview } from "./overview/overview.ts";
import { createPages } from "./pages/routes.ts";
import { swaggerPage } from "./pages/swagger.tsx";
import { createRateLimits } from "./rate-limit.ts";
import { Refusal } from "./refusal.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createResellers } from "./resellers/resellers.ts";
import { createTokens } from "./tokens/tokens.ts";
import { createUpdates } from "./updates/updates.ts";

/** What the application is built from. Tests build the same one, with a clock and a database of their own. */
export interface Surroundings {
  config: Pick<Config, "publicUrl" | "trustedProxies" | "rateLimits" | "messagingLink" | "logLevel">;
  database: Database;
  /** Signs the session cookies. */
  secret: string;
  now: Now;
  /** Milliseconds that never step back, for limits. */
  monotonicMs: () => number;
  randomBytes: RandomBytes;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: every slice is put together here, and nowhere else. */
export async function createApp({ config, database, secret, now, monotonicMs, randomBytes }: Surroundings) {
  const createRateLimit = createRateLimits({ monotonicMs, enabled: config.rateLimits });
  const randomText = (bytes: number) => Buffer.from(randomBytes(new Uint8Array(bytes))).toString("base64url");

  const peers = createPeers({
    ...config,
    socketAddressOf: (request): string | undefined => app.server?.requestIP(request)?.address,
  });
  const passwords = createPasswords();
  const wrongPasswords = createWrongPasswords({ createRateLimit, passwords });
  const sessions = createSessions({
    ...{ database, wrongPasswords, now },
    randomId: () => randomText(32),
  });
  const cookies = createCookies({ secret, peers, now });
  const access = createAccess({ sessions, cookies, peers });
  const live = createLive();
  const tokens = createTokens({ database, now, randomToken: () => randomText(18) });
  const resellers = createResellers({ database, live, now });
  const registration = createRegistration({ database, passwords, tokens, now, createRateLimit });
  const keys = createKeys({ database, now });
  const guesses = createGuesses({ createRateLimit });
  const purchase = createPurchase({ database, guesses, now, randomBytes });
  const verify = createVerify({ database, guesses, now });
  const updates = createUpdates({ database, now });

  const overview = createOverview({ database, now });
  const backup = createBackup({ database, now });

  const api = createApi({
    ...{ access, cookies, sessions, tokens, resellers, registration },
    ...{ keys, purchase, verify, updates, overview, backup },
  });

  const assets = readAssetManifest();
  const pages = createPages({
    viewerOf: access.viewerOf,
    usernameOf: resellers.usernameOf,
    messagingLink: config.messagingLink,
    assets,
    now,
  });
  const unmatched = createUnmatched(() => app);
  let document: ReturnType<typeof openApiDocument> | null = null;
  const hidden = { detail: { hide: true } };

  const app = new Elysia({
    strictPath: true,
    // By default a short Host header shifts the path that is routed.
    handler: { standardHostname: false },
    // Told to the server as a whole: Elysia does not heed it at a route.
    websocket: liveSocket,
  })
    .onRequest(({ request, set }) => {
      set.headers["x-content-type-options"] = "nosniff";
      set.headers["referrer-policy"] = "same-origin";
      if (isPrivate(peers.addressAsked(request).pathname)) set.headers["cache-control"] = "no-store";
    })
    .onError(({ code, error, set, request, route }) => {
      const refusal = code === "NOT_FOUND" && !(error instanceof Refusal) ? unmatched({ request, set }) : error;
      const isPage = refusal instanceof Refusal && refusal.code === "NOT_FOUND" && !isBelow("/api", request);
      if (isPage) return pages.notFoundPage();
      const failure = answerFailure(refusal, set, `${request.method} ${route}`);
      return isBelow(verifyPath, request) ? { valid: false, ...failure } : failure;
    })
    // Before the routes: a hook reaches only those that come after it.
    .use(config.logLevel === "debug" ? createRequestLog(monotonicMs) : new Elysia())
    .use(api)
    .use(createLiveRoutes({ live, access, peers }))
    .use(pages)
    .use(await createAssets())
    .get("/swagger", () => swaggerPage(assets), hidden)
    .get(
      "/swagger/json",
      () => {
        document ??= openApiDocument(api);
        return document;
      },
      hidden,
    )
    .get(
      "/healthz",
      async () => {
        await database.read`SELECT 1`;
        return { status: "ok" };
      },
      hidden,
    );

  return Object.assign(app, { live });
}

/** What these paths answer is for whoever is signed in, and no cache keeps it (decisions.md 1). */
function isPrivate(pathname: string): boolean {
  return /^\/api\/(admin|reseller|auth)(\/|$)/.test(pathname);
}

function isBelow(path: string, request: Request): boolean {
  const pathname = URL.parse(request.url)?.pathname ?? "";
  return pathname === path || pathname.startsWith(`${path}/`);
}
