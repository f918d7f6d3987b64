import type { Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { hasStatus } from "../keys/status.ts";
import type { Stats } from "./schema.ts";

/** The figures of the admin's first page, all of one instant. */
export interface Overview {
  stats(): Promise<Stats>;
}

export function createOverview(given: { database: Database; now: Now }): Overview {
  const { database, now } = given;

  return {
    async stats() {
      const [stats] = await database.read<Stats>`
        SELECT
          (SELECT count(*) FROM resellers) AS "totalResellers",
          (SELECT count(*) FROM license_keys k WHERE ${hasStatus("ACTIVE", now())}) AS "activeKeys",
          (SELECT count(*) FROM referral_tokens WHERE used_by IS NULL) AS "availableTokens",
          (SELECT count(*) FROM online_updates WHERE is_active = 1) AS "activeOnlineUpdates",
          (SELECT count(*) FROM online_updates WHERE is_active = 0) AS "inactiveOnlineUpdates",
          (SELECT count(*) FROM license_keys WHERE reseller_id IS NULL) AS "totalAdminKeys"`;
      return stats as Stats;
    },
  };
}
