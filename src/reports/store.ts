import { gameNameOf } from "../catalogue/model.ts";
import { msPerDay } from "../core/clock.ts";
import { part, type Sql } from "../db/contract.ts";
import { hasStatus } from "../keys/model.ts";
import type { FirstSteps, Stats } from "./schema.ts";

/**
 * One statement, so that all figures are of one instant. Of ACTIVE keys only those that expire today are counted one by
 * one.
 */
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

/** Each reads at most one row of a table. */
export async function readFirstSteps(sql: Sql): Promise<Omit<FirstSteps, "hasBackups">> {
  const [found] = await sql<{ keys: number; invited: number; verdicts: number }>`
    SELECT
      CASE WHEN EXISTS (SELECT 1 FROM license_keys) THEN 1 ELSE 0 END AS keys,
      CASE WHEN EXISTS (SELECT 1 FROM referral_tokens) OR EXISTS (SELECT 1 FROM resellers) THEN 1 ELSE 0 END AS invited,
      CASE WHEN EXISTS (SELECT 1 FROM all_verdict_totals) THEN 1 ELSE 0 END AS verdicts`;
  return { hasKey: found?.keys === 1, hasInvited: found?.invited === 1, hasVerified: found?.verdicts === 1 };
}

/** The keys that were made on a day, of one game. */
export interface MadeRow {
  day: number;
  game: string;
  keys: number;
  costTenths: number;
}

/** A verdict that was returned on a day. `code` is its number, as in the migration. */
export interface VerdictRow {
  day: number;
  code: number;
  count: number;
  connected: number;
}

/**
 * Of a reseller, or of all accounts if `resellerId` is null. Imported keys, and those that are older than orders, are not counted. What was
 * paid for keys later counts on the day of the payment; refunds do not count.
 */
export async function madeByDay(sql: Sql, resellerId: number | null, firstDay: number): Promise<MadeRow[]> {
  if (resellerId === null) {
    return sql<MadeRow>`
      SELECT made_day AS day, ${gameNameOf(part`game_id`)} AS game, CAST(sum(key_count) AS BIGINT) AS keys, CAST(sum(cost_tenths) AS BIGINT) AS "costTenths"
      FROM order_totals WHERE made_day >= ${firstDay} GROUP BY made_day, game_id`;
  }
  const isCounted = part`reseller_id = ${resellerId} AND created_at >= ${firstDay * msPerDay}`;
  return sql<MadeRow>`
    SELECT day, ${gameNameOf(part`game_id`)} AS game, CAST(sum(keys) AS BIGINT) AS keys, CAST(sum(cost) AS BIGINT) AS "costTenths"
    FROM (
      SELECT created_at / ${msPerDay} AS day, game_id, key_count AS keys, cost_tenths AS cost FROM orders WHERE ${isCounted} AND import_id IS NULL
      UNION ALL SELECT l.created_at / ${msPerDay}, k.game_id, 0, -l.amount_tenths
      FROM (SELECT * FROM credit_ledger WHERE ${isCounted} AND key_id IS NOT NULL AND reason <> 'key_refund') AS l
        JOIN license_keys k ON k.id = l.key_id) AS made
    GROUP BY day, game_id`;
}

/** The ten resellers who spent most, each in one row for a day on which something was bought. */
export function topResellers(sql: Sql, { firstDay, lastDay }: { firstDay: number; lastDay: number }) {
  return sql<{ id: number; username: string; keys: number; costTenths: number }>`
    SELECT t.id, a.username, t.keys, t.cost AS "costTenths"
    FROM (
      SELECT reseller_id AS id, CAST(sum(key_count) AS BIGINT) AS keys, CAST(sum(cost_tenths) AS BIGINT) AS cost
      FROM reseller_totals WHERE made_day >= ${firstDay} AND made_day <= ${lastDay}
      GROUP BY reseller_id ORDER BY cost DESC, keys DESC, id LIMIT 10) AS t
      JOIN accounts a ON a.id = t.id
    ORDER BY t.cost DESC, t.keys DESC, t.id`;
}

/**
 * Of a reseller, or of all. The primary key of the reseller's totals begins with the day, so each day is looked up by
 * itself.
 */
export async function verdictsByDay(
  sql: Sql,
  resellerId: number | null,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<VerdictRow[]> {
  if (resellerId === null) {
    return sql<VerdictRow>`
      SELECT told_day AS day, verdict_code AS code, verdict_count AS count, connected_count AS connected
      FROM all_verdict_totals WHERE told_day >= ${firstDay}`;
  }
  return sql<VerdictRow>`
    WITH RECURSIVE days (day) AS (SELECT CAST(${firstDay} AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay})
    SELECT v.told_day AS day, v.verdict_code AS code, v.verdict_count AS count, v.connected_count AS connected
    FROM days CROSS JOIN verdict_totals v WHERE v.told_day = days.day AND v.owner = ${resellerId}`;
}
