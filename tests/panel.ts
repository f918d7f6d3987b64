import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createAdmins } from "../src/accounts/admins.ts";
import { createAuditedChanges } from "../src/accounts/audited-changes.ts";
import { createPasswords } from "../src/accounts/passwords/passwords.ts";
import type { BackupSettings } from "../src/config/backup-settings.ts";
import type { Config } from "../src/config/config.ts";
import { createMetrics, type Metrics } from "../src/core/metrics.ts";
import type { Database } from "../src/db/contract.ts";
import { createServer, type Server } from "../src/server.ts";
import { KeyCache } from "../src/verify/fast/key-cache.ts";
import { type Client, createClient } from "./client.ts";
import { openTestDatabase, testsBeginAt } from "./database.ts";
import { adminLogin, temporaryFolder } from "./process.ts";

/** The real application with a real database in this process, so that tests can set the clock. */
export interface Panel {
  database: Database;
  metrics: Metrics;
  /** The database file, for tests in which another process changes it. */
  file: string;
  server: Server;
  app: Server["app"];
  failedSignIns: Server["failedSignIns"];
  renderedPages: Server["renderedPages"];
  /** A client with this address, which matters only for a panel behind a proxy. */
  newClient: (address?: string) => Client;
  /**
   * The time in milliseconds for all clocks of the application, including the monotonic one, and whether the wall clock
   * counts as ahead.
   */
  clock: { now: number; isAhead: boolean };
  close: () => Promise<void>;
}

const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/** The real cost of a hash is most of the time of a test that registers a reseller and signs in. */
export const lowestCost = { memoryCost: 8, timeCost: 1 };

/**
 * Starts at 5 March 2025, 14:30 UTC, with one admin, `adminLogin`. Behind a proxy it listens on a free port, and each
 * client has the address that the proxy reports; otherwise all clients have the same address.
 */
export async function openPanel({
  rateLimits = false,
  publicUrl = null as URL | null,
  securityContact = null as string | null,
  behindProxy = false,
  keyCachePlaces = 2 ** 10,
  backups = {} as Partial<BackupSettings>,
  webhooks = {} as Partial<Config["webhooks"]>,
  refundDays = 0,
  /** For tests that fill the queue for hashing or make a backup, whose check refuses any other cost. */
  realPasswordCost = false,
} = {}): Promise<Panel> {
  const folder = temporaryFolder();
  const file = join(folder, "latchkey.db");
  const clock = { now: testsBeginAt, isAhead: false };
  const now = () => clock.now;
  const keyCache = new KeyCache(keyCachePlaces);
  const database = await openTestDatabase(file, keyCache.evict);
  const passwords = createPasswords(randomBytes, realPasswordCost ? undefined : lowestCost);
  const admins = createAdmins({ database, changes: createAuditedChanges({ database, now }), passwords, now });
  await admins.create(adminLogin.username, adminLogin.password);
  const trustedProxies = behindProxy ? [{ address: "127.0.0.1", prefix: 32, version: 4 as const }] : [];
  const metrics = createMetrics({ ms: now });
  const server = await createServer({
    config: {
      ...{ publicUrl, trustedProxies, tls: null, rateLimits, metricsToken: null, securityContact },
      ...{
        messagingLink: null,
        brand: { name: "Latchkey", logoFile: null, supportLink: null },
        logLevel: "error",
        auditDays: 365,
        refundDays,
        dataFolder: folder,
        webhooks: { allowPrivate: true, telegramApi: "https://api.telegram.org", ...webhooks },
      },
      backups: {
        ...{ schedule: null, keep: { count: 30, ms: null }, s3: null },
        folder: join(folder, "backups"),
        ...backups,
      },
    },
    database,
    keyCache,
    passwords,
    secrets: { current: "a secret that is long enough for tests", previous: null },
    metrics,
    clock: { now, retentionNow: () => (clock.isAhead ? 0 : clock.now), isAhead: () => clock.isAhead },
    wallClock: now,
    monotonicMs: now,
    randomBytes,
  });
  const { app, failedSignIns, renderedPages, statistics } = server;
  if (behindProxy) app.listen({ port: 0, hostname: "127.0.0.1" });
  const throughProxy = (address: string) => (request: Request) => {
    request.headers.set("x-forwarded-for", address);
    return fetch(request);
  };
  // On a socket, each request arrives in a new turn of the event loop. Without it, clients whose requests are served
  // from memory and who send the next one at once would starve timers and worker threads, and the test would never end.
  const fetchInNewTurn = async (request: Request) => {
    await setImmediate();
    return app.fetch(request);
  };
  return {
    database,
    metrics,
    file,
    ...{ server, app, failedSignIns, renderedPages },
    clock,
    newClient: (address = "198.51.100.1") =>
      behindProxy
        ? createClient(`http://127.0.0.1:${app.server?.port}`, throughProxy(address))
        : createClient("http://localhost", fetchInNewTurn),
    close: async () => {
      await failedSignIns.write();
      await statistics.write();
      await app.server?.stop(true);
      renderedPages.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
