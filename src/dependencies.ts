import type { Hashing } from "./accounts/passwords/hashing.ts";
import type { Secrets } from "./accounts/sealed.ts";
import type { Config } from "./config/config.ts";
import type { Now } from "./core/clock.ts";
import type { Metrics } from "./core/metrics.ts";
import type { RandomBytes } from "./core/random.ts";
import type { Database } from "./db/contract.ts";

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
