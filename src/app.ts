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
import { createDirect } from "./http/direct.ts";
import { createHealth } from "./http/health.ts";
import { createHttp } from "./http/http.ts";
import { createPeers } from "./http/peer.ts";
import { createGuesses } from "./keys/guesses.ts";
import type { RandomBytes } from "./keys/key-string.ts";
import { createKeys } from "./keys/keys.ts";
import { createPurchase } from "./keys/purchase.ts";
import { createStandings } from "./keys/standings.ts";
import { createVerify } from "./keys/verify.ts";
import { verifyDirect } from "./keys/verify-direct-routes.ts";
import { verifyFailures } from "./keys/verify-routes.ts";
import { createLive } from "./live/live.ts";
import { createLiveRoutes, liveSocket } from "./live/routes.ts";
import { createOverview } from "./overview/overview.ts";
import { createPages } from "./pages/routes.ts";
import { createRateLimits } from "./rate-limit.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createResellers } from "./resellers/resellers.ts";
import { createSwagger } from "./swagger/routes.ts";
import { createTokens } from "./tokens/tokens.ts";
import { updatesDirect } from "./updates/direct-routes.ts";
import { createUpdates } from "./updates/updates.ts";

/** What the application is built from. Tests build the same one, with a clock and a database of their own. */
export interface Dependencies {
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
export async function createApp({ config, database, secret, now, monotonicMs, randomBytes }: Dependencies) {
  const { publicUrl, trustedProxies, messagingLink, logLevel } = config;
  const createRateLimit = createRateLimits({ monotonicMs, enabled: config.rateLimits });
  const randomText = (bytes: number) => Buffer.from(randomBytes(new Uint8Array(bytes))).toString("base64url");

  const socketAddressOf = (request: Request): string | undefined => app.server?.requestIP(request)?.address;
  const peers = createPeers({ publicUrl, trustedProxies, socketAddressOf });
  const passwords = createPasswords();
  const wrongPasswords = createWrongPasswords({ createRateLimit, passwords });
  const sessions = createSessions({ database, wrongPasswords, now, randomId: () => randomText(32) });
  const cookies = createCookies({ secret, peers, now });
  const access = createAccess({ sessions, cookies, peers });
  const live = createLive();
  const tokens = createTokens({ database, now, randomToken: () => randomText(18) });
  const resellers = createResellers({ database, live, now });
  const guesses = createGuesses({ createRateLimit });
  const standings = createStandings({ database, randomBytes });

  const verify = createVerify({ database, standings, guesses, now });
  const updates = createUpdates({ database, now });

  const api = createApi({
    access,
    cookies,
    sessions,
    tokens,
    resellers,
    registration: createRegistration({ database, passwords, tokens, now, createRateLimit }),
    keys: createKeys({ database, standings, now }),
    purchase: createPurchase({ database, guesses, now, randomBytes }),
    verify,
    updates,
    overview: createOverview({ database, now }),
    backup: createBackup({ database, now }),
  });
  const assets = readAssetManifest();
  const pages = createPages({ access, resellers, messagingLink, assets, now });
  const { notFoundPage } = pages;

  const direct = createDirect({
    peers,
    elysia: (request) => app.fetch(request),
    routes: [...verifyDirect({ access, verify }), updatesDirect({ updates })],
  });
  const failureShapes = [verifyFailures];
  const app = createHttp({
    peers,
    websocket: liveSocket,
    notFoundPage,
    failureShapes,
    direct,
    logLevel,
    monotonicMs,
  })
    .use(api)
    .use(createLiveRoutes({ live, access, peers }))
    .use(pages)
    .use(createSwagger({ api, assets }))
    .use(await createAssets())
    .use(createHealth({ database }));

  return Object.assign(app, { live });
}
