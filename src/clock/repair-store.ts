import { dayOf } from "../core/clock.ts";
import { totalsDay } from "../core/key-time.ts";
import { raw } from "../db/append-only.ts";
import type { Sql } from "../db/contract.ts";

/** The length of a step of a two-factor code, in milliseconds. */
const stepMs = 30_000;

/**
 * Columns with times of past events, and of attempts that are then due now. Those of a key's time are moved together,
 * before these.
 */
const pastTimes = [
  ["schema_migrations", "applied_at"],
  ["accounts", "created_at"],
  ["accounts", "removed_at"],
  ["two_factor", "enabled_at"],
  ["known_addresses", "last_used_at"],
  ["sessions", "created_at"],
  ["sessions", "last_seen_at"],
  ["api_keys", "created_at"],
  ["api_keys", "last_used_at"],
  ["webhooks", "created_at"],
  ["webhooks", "rotated_at"],
  ["webhooks", "switched_off_at"],
  ["webhook_deliveries", "at"],
  ["webhook_deliveries", "next_at"],
  ["shop_links", "created_at"],
  ["shop_sales", "at"],
  ["shop_failures", "told_at"],
  ["key_expiry_watch", "recorded_until_at"],
  ["idempotency_keys", "created_at"],
  ["online_updates", "created_at"],
  ["online_updates", "updated_at"],
  ["referral_tokens", "created_at"],
  ["referral_tokens", "used_at"],
  ["credit_ledger", "created_at"],
  ["imports", "created_at"],
  ["orders", "created_at"],
  ["orders", "undone_at"],
  ["license_keys", "created_at"],
  ["license_keys", "revoked_at"],
  ["key_devices", "first_connected_at"],
  ["blocked_devices", "created_at"],
  ["game_maintenance", "began_at"],
  ["game_maintenance", "ended_at"],
  ["key_events", "created_at"],
  ["key_events", "connected_at"],
  ["interventions", "created_at"],
  ["interventions", "since_at"],
  ["key_refusals", "last_at"],
  ["audit", "at"],
  ["audit_horizon", "kept_since_at"],
] as const;

/** How many times were moved, by table. Tables without any are left out. */
export type MovedTimes = Map<string, number>;

/**
 * Moves all times later than `now` back to `now`, in the caller's transaction. A key that was created, started, paused,
 * resumed or renewed in the future keeps the time it had left. No server may be running, and the triggers of append-only
 * tables must be off.
 */
export async function moveTimesBack(sql: Sql, now: number): Promise<MovedTimes> {
  const moved: MovedTimes = new Map();
  const count = (table: string, rows: unknown[]) => {
    if (rows.length > 0) moved.set(table, (moved.get(table) ?? 0) + rows.length);
  };

  const keys = await moveKeys(sql, now);
  count("license_keys", keys);
  for (const [table, column] of pastTimes) {
    const [into, time] = [raw(table), raw(column)];
    count(table, await sql`UPDATE ${into} SET ${time} = ${now} WHERE ${time} > ${now} RETURNING 1 AS moved`);
  }
  const step = Math.floor(now / stepMs);
  count(
    "two_factor",
    await sql`UPDATE two_factor SET used_step = ${step} WHERE used_step > ${step} RETURNING 1 AS moved`,
  );
  if (keys.length > 0) await sumKeysAgain(sql);
  if (moved.has("orders") || moved.has("credit_ledger")) await sumOrdersAgain(sql);
  const today = dayOf(now);
  const seen = await sql`
    UPDATE key_devices SET last_seen_day = ${today} WHERE last_seen_day > ${today} RETURNING 1 AS moved`;
  count("key_devices", seen);
  const refused = await sql`
    UPDATE refused_devices SET refused_day = ${today} WHERE refused_day > ${today} RETURNING 1 AS moved`;
  count("refused_devices", refused);
  await mergeVerdicts(sql, today, count);
  return moved;
}

/**
 * The rest of a key's time counts from when it was started, paused, resumed or renewed last. If that is in the future,
 * the rest counts from now.
 */
function moveKeys(sql: Sql, now: number): Promise<unknown[]> {
  return sql`
    UPDATE license_keys AS k SET
      expires_at = CASE WHEN k.started_at IS NULL THEN k.expires_at
        WHEN k.expires_at > f.at THEN k.expires_at - f.at + ${now} ELSE ${now + 1} END,
      created_at = CASE WHEN k.created_at > ${now} THEN ${now} ELSE k.created_at END,
      started_at = CASE WHEN k.started_at > ${now} THEN ${now} ELSE k.started_at END,
      paused_at = CASE WHEN k.paused_at > ${now} THEN ${now} ELSE k.paused_at END,
      pause_ends_at = CASE WHEN k.paused_at > ${now} THEN k.pause_ends_at - k.paused_at + ${now} ELSE k.pause_ends_at END
    FROM (
      SELECT key_id, max(at) AS at FROM (
        SELECT id AS key_id, started_at AS at FROM license_keys WHERE started_at > ${now}
        UNION ALL SELECT id, paused_at FROM license_keys WHERE paused_at > ${now}
        UNION ALL SELECT key_id, created_at FROM key_events
        WHERE created_at > ${now} AND (what = 'RESUMED' OR is_renewal = 1)) AS times GROUP BY key_id) AS f
    WHERE f.key_id = k.id RETURNING id`;
}

/** Triggers add the inserted rows to `all_key_totals`. */
async function sumKeysAgain(sql: Sql): Promise<void> {
  await sql`DELETE FROM all_key_totals`;
  await sql`DELETE FROM key_totals`;
  await sql`
    INSERT INTO key_totals (owner, game_id, expiry_day, made_count, revoked_count)
    SELECT coalesce(reseller_id, 0), game_id, ${raw(totalsDay)}, count(*), count(revoked_at) FROM license_keys k GROUP BY 1, 2, 3`;
}

async function sumOrdersAgain(sql: Sql): Promise<void> {
  await sql`DELETE FROM order_totals`;
  await sql`
    INSERT INTO order_totals (made_day, game_id, shard, key_count, cost_tenths)
    SELECT day, game_id, shard, sum(keys), sum(cost) FROM (
      SELECT created_at / 86400000 AS day, game_id, coalesce(reseller_id, 0) % 64 AS shard, key_count AS keys, cost_tenths AS cost
      FROM orders WHERE import_id IS NULL
      UNION ALL SELECT l.created_at / 86400000, k.game_id, l.reseller_id % 64, 0, -l.amount_tenths
      FROM credit_ledger l JOIN license_keys k ON k.id = l.key_id WHERE l.reason <> 'key_refund') AS made
    GROUP BY 1, 2, 3`;
  await sql`DELETE FROM reseller_totals`;
  await sql`
    INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
    SELECT day, reseller_id, sum(keys), sum(cost) FROM (
      SELECT created_at / 86400000 AS day, reseller_id, key_count AS keys, cost_tenths AS cost
      FROM orders WHERE import_id IS NULL AND reseller_id IS NOT NULL
      UNION ALL SELECT created_at / 86400000, reseller_id, 0, -amount_tenths
      FROM credit_ledger WHERE reason IN ('key_extension', 'device_limit_change')) AS made
    GROUP BY 1, 2`;
}

/** Adds the verdicts of future days to today's. */
async function mergeVerdicts(sql: Sql, today: number, count: (table: string, rows: unknown[]) => void): Promise<void> {
  await sql`
    INSERT INTO key_refusals (refused_day, key_id, verdict_code, refusal_count, last_at, last_device_id)
    SELECT ${today}, key_id, verdict_code, sum(refusal_count), max(last_at), max(last_device_id)
    FROM key_refusals WHERE refused_day > ${today} GROUP BY key_id, verdict_code
    ON CONFLICT (refused_day, key_id, verdict_code) DO UPDATE SET
      refusal_count = key_refusals.refusal_count + excluded.refusal_count, last_at = excluded.last_at`;
  count("key_refusals", await sql`DELETE FROM key_refusals WHERE refused_day > ${today} RETURNING 1 AS moved`);
  await sql`
    INSERT INTO verdict_totals (told_day, owner, verdict_code, verdict_count, connected_count)
    SELECT ${today}, owner, verdict_code, sum(verdict_count), sum(connected_count)
    FROM verdict_totals WHERE told_day > ${today} GROUP BY owner, verdict_code
    ON CONFLICT (told_day, owner, verdict_code) DO UPDATE SET
      verdict_count = verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = verdict_totals.connected_count + excluded.connected_count`;
  count("verdict_totals", await sql`DELETE FROM verdict_totals WHERE told_day > ${today} RETURNING 1 AS moved`);
  await sql`
    INSERT INTO all_verdict_totals (told_day, verdict_code, verdict_count, connected_count)
    SELECT ${today}, verdict_code, sum(verdict_count), sum(connected_count)
    FROM all_verdict_totals WHERE told_day > ${today} GROUP BY verdict_code
    ON CONFLICT (told_day, verdict_code) DO UPDATE SET
      verdict_count = all_verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = all_verdict_totals.connected_count + excluded.connected_count`;
  count("all_verdict_totals", await sql`DELETE FROM all_verdict_totals WHERE told_day > ${today} RETURNING 1 AS moved`);
}
