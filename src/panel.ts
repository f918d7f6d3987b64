import { dirname } from "node:path";
import { createAccess } from "./accounts/access.ts";
import type { Acts } from "./accounts/acts.ts";
import { createCookies } from "./accounts/cookies.ts";
import { createFailedSignIns } from "./accounts/failed-sign-ins.ts";
import { createPasswordChange } from "./accounts/passwords/password-change.ts";
import { createPasswords } from "./accounts/passwords/passwords.ts";
import { createWrongPasswords } from "./accounts/passwords/wrong-passwords.ts";
import { createSeal } from "./accounts/sealed.ts";
import { createSessions } from "./accounts/sessions.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createTwoFactor } from "./accounts/two-factor/two-factor.ts";
import { createApi } from "./api.ts";
import { createAudit } from "./audit/audit.ts";
import { createBackup } from "./backups/backup.ts";
import type { Backups } from "./backups/backups.ts";
import { randomText } from "./core/random.ts";
import { freeBytesIn } from "./db/free-space.ts";
import type { Dependencies } from "./dependencies.ts";
import { readAssetManifest } from "./http/asset-manifest.ts";
import { createAssets } from "./http/assets.ts";
import type { Clients } from "./http/client-address.ts";
import type { EveryAnswer } from "./http/headers.ts";
import { createHealth } from "./http/health.ts";
import { createHttp } from "./http/http.ts";
import type { Failures } from "./http/logging/failures.ts";
import { createMetricsRoute } from "./http/logging/metrics-route.ts";
import type { RequestLog } from "./http/logging/request-log.ts";
import type { RequestTimings } from "./http/logging/request-timings.ts";
import type { SecurityLog } from "./http/logging/security-log.ts";
import type { CreateRateLimit } from "./http/rate-limit.ts";
import { createSecurityTxt } from "./http/security-txt.ts";
import { servedBy } from "./http/served.ts";
import type { Guesses } from "./keys/guesses.ts";
import { createKeys } from "./keys/keys.ts";
import { createKeyLists } from "./keys/list/lists.ts";
import { createSelectedKeys } from "./keys/selection/selected-keys.ts";
import type { Standings } from "./keys/standings.ts";
import { createTimelines } from "./keys/timeline/timeline.ts";
import type { Verify } from "./keys/verify.ts";
import { verifyFailures } from "./keys/verify-call.ts";
import { createLive } from "./live/live.ts";
import { createLiveRoutes } from "./live/routes.ts";
import { createOrders } from "./orders/orders.ts";
import { createPurchase } from "./orders/purchase.ts";
import { createFailurePage } from "./pages/failure-page.ts";
import { createRenderedPages } from "./pages/rendered-pages.ts";
import { createPages } from "./pages/routes.ts";
import { createCondition } from "./reports/condition.ts";
import { createFigures } from "./reports/figures.ts";
import { createOverview } from "./reports/overview.ts";
import { createLedger } from "./resellers/ledger.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createResellers } from "./resellers/resellers.ts";
import { createSearch } from "./search/search.ts";
import { createSwagger } from "./swagger/routes.ts";
import { createTokens } from "./tokens/tokens.ts";
import type { Updates } from "./updates/updates.ts";

/** What game clients' calls and those of people stand on alike (`app.ts`). */
interface Shared {
  createRateLimit: CreateRateLimit;
  clients: Clients;
  failures: Failures;
  securityLog: SecurityLog;
  headers: EveryAnswer;
  timings: RequestTimings;
  requestLog: RequestLog;
  acts: Acts;
  guesses: Guesses;
  standings: Standings;
  verify: Verify;
  updates: Updates;
  backups: Backups;
}

export type Panel = ReturnType<typeof createPanel>;

/**
 * The composition root of Elysia's application, which answers what people use: the pages, every call of the API, and what operators ask of the
 * server. The calls of game clients are in it too, for what is asked of them beside `app.ts`, and for `/swagger`.
 */
export function createPanel({
  config,
  database,
  secrets,
  createHashing,
  metrics,
  now,
  wallClock,
  monotonicMs,
  randomBytes,
  createRateLimit,
  clients,
  failures,
  securityLog,
  headers,
  timings,
  requestLog,
  acts,
  guesses,
  standings,
  verify,
  updates,
  backups,
}: Dependencies & Shared) {
  const { publicUrl, messagingLink, securityContact, metricsToken } = config;
  const failedSignIns = createFailedSignIns({ acts, now });
  const live = createLive({ database, metrics });
  const passwords = createPasswords(createHashing);
  const wrongPasswords = createWrongPasswords({ database, passwords, createRateLimit, now });
  const seal = createSeal({ secrets });
  const twoFactor = createTwoFactor({ database, acts, wrongPasswords, seal, now, wallClock, randomBytes });
  const sessions = createSessions({ database, acts, now });
  const cookies = createCookies({ secrets, clients, now });
  const access = createAccess({ sessions, cookies, clients });
  const tokens = createTokens({ database, acts, now, randomToken: () => randomText(randomBytes, 18) });
  const resellers = createResellers({ database, acts, passwords, now, randomBytes });
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
  const backupNote = () => (backups.lastBackup().isLate ? "The last good backup is too old." : null);

  const elysia = createHttp({
    ...{ headers, clients, securityLog, requestLog, timings },
    pages: { unknownPage: pages.unknownPage, failurePage: createFailurePage(assets) },
    failureShapes: [verifyFailures],
  })
    .use(api)
    .use(createLiveRoutes({ live, access, clients, securityLog }))
    .use(pages)
    .use(createSwagger({ api, assets, access }))
    .use(createAssets())
    .use(createHealth({ database, notes: [backupNote], monotonicMs }))
    .use(createMetricsRoute({ metrics, metricsToken }))
    .use(createSecurityTxt({ securityContact, publicUrl, now }));

  return { elysia, served: servedBy(elysia), live, failedSignIns, renderedPages };
}
