import { createActs } from "./accounts/acts.ts";
import { createRetention } from "./audit/retention.ts";
import { createBackups } from "./backups/backups.ts";
import { msPerSecond } from "./core/clock.ts";
import type { Dependencies } from "./dependencies.ts";
import { createDirect } from "./http/direct.ts";
import { everyAnswer } from "./http/headers.ts";
import { createLatePart, type LatePart } from "./http/late-part.ts";
import { createFailures } from "./http/logging/failures.ts";
import { createRequestLog } from "./http/logging/request-log.ts";
import { createRequestTimings } from "./http/logging/request-timings.ts";
import { createSecurityLog } from "./http/logging/security-log.ts";
import { createPeers } from "./http/peer.ts";
import { createRateLimits } from "./http/rate-limit.ts";
import { createGuesses } from "./keys/guesses.ts";
import { createStandings } from "./keys/standings.ts";
import { createVerify } from "./keys/verify.ts";
import { verifyDirect } from "./keys/verify-direct-routes.ts";
import { liveSocket } from "./live/socket.ts";
import type { Panel } from "./panel.ts";
import { updatesDirect } from "./updates/direct-routes.ts";
import { createUpdates } from "./updates/updates.ts";
import { createStatistics } from "./verify/statistics.ts";
import { createStatisticsRetention } from "./verify/statistics-retention.ts";

export type App = ReturnType<typeof createApp>;

/**
 * The composition root of what game clients ask, with which the port opens. What people use is Elysia's application, is put together in `panel.ts`,
 * and is loaded a moment later (`http/late-part.ts`).
 */
export function createApp(dependencies: Dependencies) {
  const { config, database, metrics, now, monotonicMs, randomBytes } = dependencies;
  const { host, publicUrl, trustedProxies, metricsToken, logLevel, auditDays } = config;
  const ownLimits = createRateLimits({ monotonicMs, randomBytes, enabled: config.rateLimits, metrics });
  const createRateLimit = config.rateLimits ? database.shareLimits(ownLimits, now) : ownLimits;

  const socketAddressOf = (request: Request): string | undefined => panel.server()?.requestIP(request)?.address;
  const peers = createPeers({ host, publicUrl, trustedProxies, socketAddressOf });
  const failures = createFailures({ now });
  const securityLog = createSecurityLog({ peers, failures });
  const acts = createActs({ database, securityLog, now });

  const guesses = createGuesses({ createRateLimit });
  const standings = createStandings({ database, randomBytes });
  const statistics = createStatistics({ database, metrics });
  const verify = createVerify({ database, standings, guesses, statistics, now });
  const updates = createUpdates({ database, acts, now });

  const backups = createBackups({ settings: config.backups, file: database.file, acts, now });
  metrics.gauge({
    name: "latchkey_last_backup_timestamp_seconds",
    help: "When the last good backup was made, in every place that it was to be in.",
    read() {
      const { at } = backups.lastBackup();
      return at === null ? null : at / msPerSecond;
    },
  });

  const headers = everyAnswer(publicUrl);
  const timings = createRequestTimings({ metrics, isAsked: metricsToken !== null });
  const gameClientCalls = [...verifyDirect({ peers, verify, headers }), updatesDirect({ updates, headers })];
  const gameClientRoutes = new Set(gameClientCalls.map(({ path }) => path));
  const requestLog = createRequestLog({ peers, timings, gameClientRoutes });
  const direct = createDirect({
    ...{ headers, peers, securityLog, requestLog, timings },
    elysia: (request) => panel.fetch(request),
    routes: gameClientCalls,
  });
  const panel: LatePart<Panel> = createLatePart({
    // The request log sees what passes through Elysia, so for its sake all does.
    direct: logLevel === "debug" ? {} : direct,
    socket: liveSocket,
    async load() {
      const { createPanel } = await import("./panel.ts");
      return createPanel({
        ...dependencies,
        ...{ createRateLimit, peers, failures, securityLog, headers, timings, requestLog },
        ...{ acts, guesses, standings, verify, updates, backups },
      });
    },
  });

  const retention = createRetention({ database, auditDays, now });
  const statisticsRetention = createStatisticsRetention({ database, now });
  const { listen, server, fetch } = panel;
  return { listen, server, fetch, panel, backups, standings, statistics, retention, statisticsRetention };
}
