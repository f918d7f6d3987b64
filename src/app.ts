import { dirname } from "node:path";
import { createAccess } from "./accounts/access.ts";
import { createActs } from "./accounts/acts.ts";
import { createCookies } from "./accounts/cookies.ts";
import { createFailedSignIns } from "./accounts/failed-sign-ins.ts";
import type { Hashing } from "./accounts/hashing.ts";
import { createPasswordChange } from "./accounts/password-change.ts";
import { createPasswords } from "./accounts/passwords.ts";
import { createSeal, type Secrets } from "./accounts/sealed.ts";
import { createSessions } from "./accounts/sessions.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createTwoFactor } from "./accounts/two-factor.ts";
import { createWrongPasswords } from "./accounts/wrong-passwords.ts";
import { createApi } from "./api.ts";
import { createAudit } from "./audit/audit.ts";
import { createRetention } from "./audit/retention.ts";
import { createBackup } from "./backup/backup.ts";
import { createBackups } from "./backup/backups.ts";
import { msPerSecond, type Now } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { freeBytesIn } from "./database/free-space.ts";
import { readAssetManifest } from "./http/asset-manifest.ts";
import { createAssets } from "./http/assets.ts";
import { createDirect } from "./http/direct.ts";
import { createFailures } from "./http/failures.ts";
import { everyAnswer } from "./http/headers.ts";
import { createHealth } from "./http/health.ts";
import { createHttp } from "./http/http.ts";
import { createMetricsRoute } from "./http/metrics-route.ts";
import { createPeers } from "./http/peer.ts";
import { createRequestLog } from "./http/request-log.ts";
import { createRequestTimings } from "./http/request-timings.ts";
import { createSecurityLog } from "./http/security-log.ts";
import { createSecurityTxt } from "./http/security-txt.ts";
import { createGuesses } from "./keys/guesses.ts";
import { createKeys } from "./keys/keys.ts";
import { createKeyLists } from "./keys/lists.ts";
import { createSelectedKeys } from "./keys/selected-keys.ts";
import { createStandings } from "./keys/standings.ts";
import { createTally } from "./keys/tally.ts";
import { createTallyRetention } from "./keys/tally-retention.ts";
import { createTimelines } from "./keys/timeline.ts";
import { createVerify } from "./keys/verify.ts";
import { verifyDirect } from "./keys/verify-direct-routes.ts";
import { verifyFailures } from "./keys/verify-routes.ts";
import { createLive } from "./live/live.ts";
import { createLiveRoutes, liveSocket } from "./live/routes.ts";
import type { Metrics } from "./metrics.ts";
import { createOrders } from "./orders/orders.ts";
import { createPurchase } from "./orders/purchase.ts";
import { createCondition } from "./overview/condition.ts";
import { createFigures } from "./overview/figures.ts";
import { createOverview } from "./overview/overview.ts";
import { createFailurePage } from "./pages/failure-page.ts";
import { createRenderedPages } from "./pages/rendered-pages.ts";
import { createPages } from "./pages/routes.ts";
import { type RandomBytes, randomText } from "./random.ts";
import { createRateLimits } from "./rate-limit.ts";
import { createLedger } from "./resellers/ledger.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createResellers } from "./resellers/resellers.ts";
import { createSearch } from "./search/search.ts";
import { createSwagger } from "./swagger/routes.ts";
import { createTokens } from "./tokens/tokens.ts";
import { updatesDirect } from "./updates/direct-routes.ts";
import { createUpdates } from "./updates/updates.ts";

/** What the application is built from. Tests build the same one, with a clock and a database of their own. */
export interface Dependencies {
  config: Pick<
    Config,
    | "host"
    | "publicUrl"
    | "trustedProxies"
    | "rateLimits"
    | "messagingLink"
    | "metricsToken"
    | "securityContact"
    | "logLevel"
    | "auditDays"
    | "backups"
  >;
  database: Database;
  /** Signs the session cookies. */
  secrets: Secrets;
  /** What hashes passwords, for each lane one. */
  createHashing: () => Hashing;
  /** Where every slice shows what an operator watches. */
  metrics: Metrics;
  /** Never runs backwards. */
  now: Now;
  /** The system's clock as it stands, which other people's clocks are compared with. */
  wallClock: Now;
  /** Milliseconds that never step back, for limits. */
  monotonicMs: () => number;
  randomBytes: RandomBytes;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: every slice is put together here, and nowhere else. */
export async function createApp({
  config,
  database,
  secrets,
  createHashing,
  metrics,
  now,
  wallClock,
  monotonicMs,
  randomBytes,
}: Dependencies) {
  const { host, publicUrl, trustedProxies, messagingLink, securityContact, metricsToken, logLevel, auditDays } = config;
  const ownLimits = createRateLimits({ monotonicMs, randomBytes, enabled: config.rateLimits, metrics });
  const createRateLimit = config.rateLimits ? database.shareLimits(ownLimits, now) : ownLimits;

  const socketAddressOf = (request: Request): string | undefined => app.server?.requestIP(request)?.address;
  const peers = createPeers({ host, publicUrl, trustedProxies, socketAddressOf });
  const failures = createFailures({ now });
  const securityLog = createSecurityLog({ peers, failures });
  const acts = createActs({ database, securityLog, now });
  const failedSignIns = createFailedSignIns({ acts, now });
  const live = createLive({ database, metrics });
  const passwords = createPasswords(createHashing);
  const wrongPasswords = createWrongPasswords({ database, passwords, createRateLimit, now });
  const seal = createSeal({ secrets });
  const twoFactor = createTwoFactor({ database, acts, wrongPasswords, seal, now, wallClock, randomBytes });
  const sessions = createSessions({ database, acts, now });
  const cookies = createCookies({ secrets, peers, now });
  const access = createAccess({ sessions, cookies, peers });
  const tokens = createTokens({ database, acts, now, randomToken: () => randomText(randomBytes, 18) });
  const resellers = createResellers({ database, acts, passwords, now, randomBytes });
  const guesses = createGuesses({ createRateLimit });
  const standings = createStandings({ database, randomBytes });

  const tally = createTally({ database, metrics });
  const verify = createVerify({ database, standings, guesses, tally, now });
  const updates = createUpdates({ database, acts, now });

  const backups = createBackups({ settings: config.backups, file: database.file, acts, now });
  const backupNote = () => (backups.lastBackup().isLate ? "The last good backup is too old." : null);
  metrics.gauge({
    name: "latchkey_last_backup_timestamp_seconds",
    help: "When the last good backup was made, in every place that it was to be in.",
    read() {
      const { at } = backups.lastBackup();
      return at === null ? null : at / msPerSecond;
    },
  });

  const keys = createKeys({ database, acts, standings, now });
  const orders = createOrders({ database, acts, standings, now });
  const search = createSearch({ database, now });
  const api = createApi({
    access,
    cookies,
    sessions,
    signIn: createSignIn({
      ...{ acts, failedSignIns, wrongPasswords, twoFactor, now },
      randomSecret: () => randomText(randomBytes, 32),
    }),
    passwordChange: createPasswordChange({ acts, passwords, wrongPasswords }),
    twoFactor,
    tokens,
    resellers,
    ledger: createLedger({ database, acts, now }),
    registration: createRegistration({ database, acts, passwords, tokens, now, createRateLimit }),
    keys,
    keyLists: createKeyLists({ database, now }),
    selectedKeys: createSelectedKeys({ database, acts, standings, now }),
    orders,
    timelines: createTimelines({ database, now }),
    purchase: createPurchase({ acts, guesses, now, randomBytes }),
    verify,
    updates,
    overview: createOverview({ database, now }),
    condition: createCondition({
      database,
      isBackedUpElsewhere: database.file === null,
      lastBackup: backups.lastBackup,
      failures,
      freeBytes: async () => (database.file === null ? null : freeBytesIn(dirname(database.file))),
      now,
    }),
    figures: createFigures({ database, now }),
    search,
    audit: createAudit({ database, acts, now }),
    backup: createBackup({ database, acts, now }),
    backups,
  });
  const assets = readAssetManifest();
  const renderedPages = createRenderedPages({ assets });
  const pages = createPages({ access, resellers, keys, orders, search, messagingLink, renderedPages, now });
  const { unknownPage } = pages;

  const headers = everyAnswer(publicUrl);
  const timings = createRequestTimings({ metrics, isAsked: metricsToken !== null });
  const gameClientCalls = [...verifyDirect({ access, verify, headers }), updatesDirect({ updates, headers })];
  const gameClientRoutes = new Set(gameClientCalls.map(({ path }) => path));
  const requestLog = createRequestLog({ peers, timings, gameClientRoutes });
  const direct = createDirect({
    ...{ headers, peers, securityLog, requestLog, timings },
    elysia: (request) => app.fetch(request),
    routes: gameClientCalls,
  });
  const failureShapes = [verifyFailures];
  const app = createHttp({
    headers,
    peers,
    securityLog,
    websocket: liveSocket,
    unknownPage,
    failurePage: createFailurePage(assets),
    failureShapes,
    direct,
    requestLog,
    logLevel,
  })
    .use(api)
    .use(createLiveRoutes({ live, access, peers, securityLog }))
    .use(pages)
    .use(createSwagger({ api, assets, access }))
    .use(createAssets())
    .use(createHealth({ database, notes: [backupNote], monotonicMs }))
    .use(createMetricsRoute({ metrics, metricsToken }))
    .use(createSecurityTxt({ securityContact, publicUrl, now }));

  const retention = createRetention({ database, auditDays, now });
  const tallyRetention = createTallyRetention({ database, now });
  return Object.assign(app, {
    ...{ live, backups, failedSignIns, standings, tally, retention, tallyRetention, renderedPages },
  });
}
