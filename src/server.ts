import { dirname } from "node:path";
import type { Elysia } from "elysia";
import { createAccess } from "./accounts/access.ts";
import { devicePrefix } from "./accounts/account-store.ts";
import { createApiKeys } from "./accounts/api-keys/api-keys.ts";
import { createAuditedChanges } from "./accounts/audited-changes.ts";
import { createFailedSignIns } from "./accounts/failed-sign-ins.ts";
import { createPasswordChange } from "./accounts/password-change.ts";
import type { Passwords } from "./accounts/passwords/passwords.ts";
import { createWrongPasswords } from "./accounts/passwords/wrong-passwords.ts";
import { createSeal, type Secrets } from "./accounts/sealed.ts";
import { createCookies, createSessions } from "./accounts/sessions.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createStaff } from "./accounts/staff/staff.ts";
import { countSealed, createTwoFactor } from "./accounts/two-factor/two-factor.ts";
import { createAudit, createRetention } from "./audit/audit.ts";
import { createBackup } from "./backups/backup.ts";
import { createBackups } from "./backups/backups.ts";
import { createCatalogue } from "./catalogue/catalogue.ts";
import { createPriceLists } from "./catalogue/price-lists.ts";
import type { Config } from "./config/config.ts";
import { type Clock, isBehind, type Now } from "./core/clock.ts";
import type { Metrics } from "./core/metrics.ts";
import { type RandomBytes, randomText } from "./core/random.ts";
import type { Database } from "./db/contract.ts";
import { freeBytesIn } from "./db/files.ts";
import { createApplication, createElysia } from "./http/application.ts";
import { createAssets, createBrandFiles, createPublicFiles, logoAddress, readAssetManifest } from "./http/assets.ts";
import { createHealth, createMetricsRoute } from "./http/health.ts";
import { createFailures, createSecurityLog } from "./http/logging/security-log.ts";
import { countNetworks, createPaces, createRateLimits } from "./http/rate-limit.ts";
import { createClients } from "./http/request.ts";
import { createSecurityTxt } from "./http/security-txt.ts";
import { shareLimits } from "./http/shared-limits-store.ts";
import { createImportRetention, createImportWork } from "./imports/import-work.ts";
import { createImports } from "./imports/imports.ts";
import { createInterventionWork } from "./interventions/intervention-work.ts";
import { createInterventions } from "./interventions/interventions.ts";
import { createBlockedDevices } from "./keys/blocks/blocked-devices.ts";
import { createExport } from "./keys/export/export.ts";
import { limitFreeCalls } from "./keys/free-calls.ts";
import { createKeys } from "./keys/keys.ts";
import { createExtensions } from "./keys/life/extend.ts";
import { createLimitChanges } from "./keys/life/limit.ts";
import { createPauses } from "./keys/life/pause.ts";
import { createRefunds } from "./keys/life/refund.ts";
import { createReplacements } from "./keys/life/replace.ts";
import { startKey } from "./keys/life/store.ts";
import { createKeyLists } from "./keys/list/lists.ts";
import { createSelectedKeys } from "./keys/selected-keys.ts";
import { createTimelines } from "./keys/timeline/timeline.ts";
import { createLive } from "./live/live.ts";
import { createLiveRoutes } from "./live/routes.ts";
import { createOrders } from "./orders/orders.ts";
import { createPurchase } from "./orders/purchase.ts";
import { latchkey } from "./pages/page.ts";
import { createRenderedPages } from "./pages/rendered-pages.ts";
import { createFailurePage } from "./pages/response.ts";
import { createPages, createPlayerPage } from "./pages/routes.ts";
import { createDeviceRefs } from "./players/device-refs.ts";
import { createPlayerLookup } from "./players/player-lookup.ts";
import { createReleases } from "./players/releases.ts";
import { createSigner } from "./proof/signer.ts";
import { countUnopenedKeys, createSigningKeys } from "./proof/signing-keys.ts";
import { createSdkRoutes } from "./reference/sdk-routes.ts";
import { createCondition, createDiskWatch } from "./reports/condition.ts";
import { createFigures } from "./reports/figures.ts";
import { readFirstSteps } from "./reports/store.ts";
import { createLedger } from "./resellers/ledger.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createResellers } from "./resellers/resellers.ts";
import { createSearch } from "./search/search.ts";
import { createSaleRetention, createSales } from "./shop-links/sales.ts";
import { createShopLinks } from "./shop-links/shop-links.ts";
import { createPanelApi, createPublicApi } from "./swagger/api.ts";
import { createSwagger } from "./swagger/routes.ts";
import { createTokens } from "./tokens/tokens.ts";
import { createUpdates } from "./updates/updates.ts";
import type { KeyCache } from "./verify/fast/key-cache.ts";
import { verifyFailures } from "./verify/routes.ts";
import { createStatistics, createStatisticsRetention } from "./verify/statistics.ts";
import { createThrottle } from "./verify/throttle.ts";
import { createVerification } from "./verify/verification.ts";
import { createDeliveries, createDeliveryRetention } from "./webhooks/deliveries.ts";
import { createExpiringKeys } from "./webhooks/expiring-keys.ts";
import { createSender } from "./webhooks/sending/sender.ts";
import { countSwitchedOff } from "./webhooks/webhook-store.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/** What the server is built from. Tests build the same server with another clock and database. */
export interface Dependencies {
  config: Pick<
    Config,
    | "publicUrl"
    | "trustedProxies"
    | "tls"
    | "rateLimits"
    | "messagingLink"
    | "brand"
    | "metricsToken"
    | "securityContact"
    | "logLevel"
    | "auditDays"
    | "refundDays"
    | "dataFolder"
    | "backups"
    | "webhooks"
  >;
  database: Database;
  /** The cache that `database` evicts from. */
  keyCache: KeyCache;
  passwords: Passwords;
  /** Signs the session cookies. */
  secrets: Secrets;
  metrics: Metrics;
  clock: Clock;
  /** The unadjusted system clock, which is compared with the clocks of people's phones. */
  wallClock: Now;
  /** Milliseconds that never step back, for limits. */
  monotonicMs: () => number;
  randomBytes: RandomBytes;
}

export type Server = Awaited<ReturnType<typeof createServer>>;

/** The composition root: builds all services, and the application that handles all requests. */
export async function createServer(dependencies: Dependencies) {
  const { config, database, metrics, clock, wallClock, monotonicMs } = dependencies;
  const { now } = clock;
  const { publicUrl, metricsToken, securityContact, messagingLink } = config;
  const { name, logoFile, supportLink } = config.brand;
  const brand = { name, logo: logoFile ? logoAddress : latchkey.logo, supportLink };
  const usesTls = config.tls !== null;
  const elysia = createElysia({ usesTls });
  const services = createServices(dependencies, elysia);
  const { access, backups, live, clients, securityLog, createPace } = services;
  const assets = readAssetManifest();
  const publicFiles = await createPublicFiles();
  const sdks = await createSdkRoutes();
  const renderedPages = createRenderedPages({ assets, brand });
  const pages = createPages({ ...services, messagingLink, renderedPages, now });
  const playerPage = createPlayerPage({ clients, lookup: services.playerLookup, renderedPages, createPace, now });
  const publicApi = createPublicApi(services);
  const panelApi = createPanelApi(services);
  const api = (collector: Elysia) => collector.use(publicApi).use(panelApi);
  const lateBackup = () => (backups.lastBackup().isLate ? "The last good backup is too old." : null);
  const secret = () => (services.signer.isUnopened() ? "SECRET does not open the active signing key." : null);
  const clockAhead = () => (clock.isAhead() ? "The clock is ahead of the records." : null);
  const clockBehind = () =>
    isBehind(wallClock, now) ? "CLOCK_BEHIND: time stands still until it has caught up." : null;

  // Without a database no one is known to be an admin.
  const isAdmin = async (request: Request) => (await access.viewerOf(request).catch(() => null))?.role === "admin";

  createApplication({
    ...{ publicUrl, clients, securityLog, metrics, publicApi },
    usesTls,
    app: elysia,
    isPublicApiObserved: metricsToken !== null || config.logLevel === "debug",
    pages: { unknownPage: pages.unknownPage, notFound: pages.notFound, failurePage: createFailurePage(assets, brand) },
    failureShapes: [verifyFailures],
  }).use(panelApi);
  // The types of all calls together are too deep for one chain.
  const app = elysia
    .use(createLiveRoutes({ live, access, clients, securityLog, monotonicMs, createPace }))
    .use(pages)
    .use(playerPage)
    .use(createSwagger({ api, assets, publicUrl, access }))
    .use(createAssets())
    .use(publicFiles)
    .use(sdks)
    .use(createBrandFiles(config.brand))
    .use(createHealth({ database, notes: [lateBackup, clockAhead, clockBehind, secret], isAdmin, monotonicMs }))
    .use(createMetricsRoute({ metrics, metricsToken }))
    .use(createSecurityTxt({ securityContact, publicUrl, now }));
  return { app, renderedPages, ...services };
}

function createServices(
  { config, database, keyCache, passwords, secrets, metrics, clock, wallClock, monotonicMs, randomBytes }: Dependencies,
  elysia: Elysia,
) {
  const { publicUrl, trustedProxies } = config;
  const { now, retentionNow } = clock;
  const ownLimits = createRateLimits({ monotonicMs, enabled: config.rateLimits, metrics });
  const isShared = database.file === null && config.rateLimits;
  const createPace = createPaces({ monotonicMs, enabled: config.rateLimits });
  const createRateLimit = countNetworks(isShared ? shareLimits(database.write, ownLimits, now) : ownLimits);

  const clients = createClients({ publicUrl, trustedProxies, app: elysia });
  const failures = createFailures({ now });
  const securityLog = createSecurityLog({ clients, failures });
  const changes = createAuditedChanges({ database, securityLog, createRateLimit, now });
  const wrongPasswords = createWrongPasswords({ database, passwords, createRateLimit, now });
  const seal = createSeal({ secrets });
  const twoFactor = createTwoFactor({
    ...{ database, changes, wrongPasswords, seal, now, wallClock, randomBytes },
    issuer: config.brand.name,
  });
  const failedSignIns = createFailedSignIns({ changes, now });
  const randomSecret = () => randomText(randomBytes, 32);
  const newDevice = () => `${devicePrefix}${randomText(randomBytes, 18)}`;
  const signIn = createSignIn({ changes, failedSignIns, wrongPasswords, twoFactor, clock, randomSecret, newDevice });
  const passwordChange = createPasswordChange({ changes, passwords, wrongPasswords, dataFolder: config.dataFolder });
  const sessions = createSessions({ database, changes, now });
  const cookies = createCookies({ secrets, clients, now });
  const refuseFreeCalls = limitFreeCalls({ isLimited: config.rateLimits });
  const pauses = createPauses({ database, changes, refuseFreeCalls, clock });
  const { endUsedUp: endUsedUpPauses } = pauses;
  const apiKeys = createApiKeys({ database, changes, twoFactor, now, randomBytes });
  const access = createAccess({ sessions, cookies, apiKeys, clients, beforeCalls: endUsedUpPauses, createPace });
  const { allowPrivate } = config.webhooks;
  const { send } = createSender({ ...config.webhooks, wallClock, monotonicMs });
  const deliveries = createDeliveries({ database, changes, seal, send, metrics, now });
  const expiringKeys = createExpiringKeys({ database, clock });
  const webhooks = createWebhooks({
    ...{ database, changes, seal, allowPrivate, createRateLimit, now, randomBytes },
    deliver: deliveries.wake,
  });
  const live = createLive(database, metrics);

  const signingKeys = createSigningKeys({ database, changes, seal, randomBytes });
  const signer = createSigner({ database, seal });
  metrics.gauge({
    name: "latchkey_signing_key_unopened",
    help: "1 if SECRET does not open the active signing key.",
    read: () => (signer.isUnopened() ? 1 : 0),
  });
  const throttle = createThrottle({ createRateLimit });
  const statistics = createStatistics({ database, metrics });
  const refs = createDeviceRefs({ secrets });
  const releases = createReleases({ database, throttle, statistics, clock, refs });
  const playerLookup = createPlayerLookup({ database, throttle, releases, endUsedUpPauses, clock });
  const verification = createVerification({
    ...{ database, cache: keyCache, throttle, statistics, clock, prove: signer.prove },
    ...{ startKey, endUsedUpPauses, releases },
  });
  const staff = createStaff({ database, changes, passwords, twoFactor, throttle, now, randomBytes });
  const tokens = createTokens({ database, changes, now, randomToken: () => randomText(randomBytes, 18) });
  const resellers = createResellers({ database, changes, passwords, randomBytes });
  const registration = createRegistration({ changes, passwords, tokens, createRateLimit });
  const ledger = createLedger({ database, changes, now });
  const catalogue = createCatalogue({ database, changes, cache: keyCache, now });
  const priceLists = createPriceLists({ database, changes });
  const refunds = createRefunds({ days: config.refundDays, clock });
  const extensions = createExtensions({ database, changes, refuseFreeCalls, clock });
  const limitChanges = createLimitChanges({ database, changes, refuseFreeCalls, clock });
  const replacements = createReplacements({ changes, throttle, clock, randomBytes });
  const keys = createKeys({ database, changes, refunds, refuseFreeCalls, now });
  const blockedDevices = createBlockedDevices({ database, changes });
  const keyLists = createKeyLists({ database, now });
  const selectedKeys = createSelectedKeys({ database, changes, extensions, refunds, now });
  const interventionWork = createInterventionWork({ database, clock, endUsedUpPauses });
  const interventions = createInterventions({ database, changes, clock, work: interventionWork });
  const timelines = createTimelines({ database, now });
  const orders = createOrders({ database, changes, refunds, now });
  const exports = createExport({ database, changes, now });
  const purchase = createPurchase({ changes, throttle, clock, randomBytes });
  const shopLinks = createShopLinks({ database, changes, twoFactor, seal, randomBytes });
  const sales = createSales({ database, changes, purchase, seal, createPace, createRateLimit, now });
  const importWork = createImportWork({ database, clock });
  const imports = createImports({ database, changes, clock, work: importWork });
  const importRetention = createImportRetention({ database, now: retentionNow });
  const updates = createUpdates({ database, changes, now });

  const backup = createBackup({ database, changes, now });
  const backups = createBackups({
    ...{ settings: config.backups, database, changes, clock, metrics },
    panel: config.publicUrl?.host ?? config.brand.name,
  });
  const figures = createFigures({ database, now });
  const { file } = database;
  const freeBytes = async () => (file === null ? null : freeBytesIn(dirname(file)));
  const diskWatch = createDiskWatch(freeBytes);
  const condition = createCondition({
    ...{ failures, clock, lastBackup: backups.lastGood, isBackedUpElsewhere: file === null, freeBytes },
    isClockBehind: () => isBehind(wallClock, now),
    hasSchedule: config.backups.schedule !== null,
    firstSteps: () => readFirstSteps(database.read),
    unopenedKeys: () => countUnopenedKeys(database.read, seal),
    unopenedTwoFactor: async () => (await countSealed(database.read, seal)).unopened,
    webhooksOff: () => countSwitchedOff(database.read),
  });
  const search = createSearch({ database, now });
  const audit = createAudit({ database, changes, now });
  const retention = createRetention({ database, auditDays: config.auditDays, now: retentionNow });
  const statisticsRetention = createStatisticsRetention({ database, now: retentionNow });
  const saleRetention = createSaleRetention({ database, now: retentionNow });
  const deliveryRetention = createDeliveryRetention({ database, now: retentionNow });

  return {
    ...{ clients, securityLog, access, createPace, cookies, sessions, apiKeys, staff, signIn, failedSignIns },
    ...{ twoFactor, live, verification, releases, playerLookup, statistics, statisticsRetention, tokens, resellers },
    ...{ registration, ledger, catalogue, blockedDevices, passwordChange, interventionWork, diskWatch },
    ...{ priceLists, keys, keyLists, refunds, extensions, limitChanges, pauses, replacements, interventions },
    ...{ selectedKeys, timelines, orders, exports, purchase, updates, backup, backups, figures, condition, search },
    ...{ audit, retention, signingKeys, signer, webhooks, deliveries, deliveryRetention, expiringKeys },
    ...{ imports, importWork, importRetention, publicUrl, shopLinks, sales, saleRetention },
  };
}
