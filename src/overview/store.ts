import type { Sql } from "../database/database.ts";
import { hasStatus } from "../keys/status.ts";
import type { Stats } from "./schema.ts";

/** One statement, so that all figures are of one instant. */
export async function readStats(sql: Sql, at: number): Promise<Stats> {
  const [stats] = await sql<Stats>`
    SELECT
      (SELECT count(*) FROM resellers) AS "totalResellers",
      (SELECT count(*) FROM license_keys k WHERE ${hasStatus("ACTIVE", at)}) AS "activeKeys",
      (SELECT count(*) FROM referral_tokens WHERE used_by IS NULL) AS "availableTokens",
      (SELECT count(*) FROM online_updates WHERE is_active = 1) AS "activeOnlineUpdates",
      (SELECT count(*) FROM online_updates WHERE is_active = 0) AS "inactiveOnlineUpdates",
      (SELECT count(*) FROM license_keys WHERE reseller_id IS NULL) AS "totalAdminKeys"`;
  return stats as Stats;
}
