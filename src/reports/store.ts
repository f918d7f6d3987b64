import { msPerDay } from "../core/clock.ts";
import type { Sql } from "../db/contract.ts";
import { hasStatus } from "../keys/model.ts";
import type { Stats } from "./schema.ts";

/** One statement, so that all figures are of one instant. Of ACTIVE keys only those that expire today are counted one by one. */
export async function readStats(sql: Sql, at: number): Promise<Stats> {
  const today = Math.floor(at / msPerDay);
  const [stats] = await sql<Stats>`
    SELECT
      (SELECT count(*) FROM resellers) AS "totalResellers",
      (SELECT coalesce(sum(made_count - revoked_count), 0) FROM all_key_totals WHERE expiry_day > ${today}) + (
        SELECT count(*) FROM license_keys k
        WHERE ${hasStatus("ACTIVE", at)} AND k.expires_at < ${(today + 1) * msPerDay}) AS "activeKeys",
      (SELECT count(*) FROM referral_tokens) - (
        SELECT count(*) FROM referral_tokens WHERE used_by IS NOT NULL) AS "availableTokens",
      (SELECT count(*) FROM online_updates WHERE is_active = 1) AS "activeOnlineUpdates",
      (SELECT count(*) FROM online_updates WHERE is_active = 0) AS "inactiveOnlineUpdates",
      (SELECT coalesce(sum(made_count), 0) FROM key_totals WHERE owner = 0) AS "totalAdminKeys"`;
  return stats as Stats;
}
