import type { Sql } from "../db/contract.ts";

/**
 * Returns the latest time before `beforeMs` at which a row was written, in milliseconds, or 0 if there is none. Times
 * of migrations do not count, because a start migrates before it knows whether the clock is right. For tables that grow
 * without bound only the newest row is read, because rows are written in order of time, so it takes no longer with a
 * million keys. There a `+` keeps SQLite from using an index for the time, and then sorting all rows by id.
 */
export async function newestInstant(sql: Sql, beforeMs = Number.MAX_SAFE_INTEGER): Promise<number> {
  const [row] = await sql<{ newest: number | null }>`
    SELECT max(at) AS newest FROM (
      SELECT max(created_at) AS at FROM accounts WHERE created_at < ${beforeMs}
      UNION ALL SELECT max(removed_at) FROM accounts WHERE removed_at < ${beforeMs}
      UNION ALL SELECT max(enabled_at) FROM two_factor WHERE enabled_at < ${beforeMs}
      UNION ALL SELECT max(last_used_at) FROM known_addresses WHERE last_used_at < ${beforeMs}
      UNION ALL SELECT max(last_seen_at) FROM sessions WHERE last_seen_at < ${beforeMs}
      UNION ALL SELECT max(created_at) FROM api_keys WHERE created_at < ${beforeMs}
      UNION ALL SELECT max(last_used_at) FROM api_keys WHERE last_used_at < ${beforeMs}
      UNION ALL SELECT max(created_at) FROM shop_links WHERE created_at < ${beforeMs}
      UNION ALL SELECT max(created_at) FROM idempotency_keys WHERE created_at < ${beforeMs}
      UNION ALL SELECT max(updated_at) FROM online_updates WHERE updated_at < ${beforeMs}
      UNION ALL SELECT max(used_at) FROM referral_tokens WHERE used_at < ${beforeMs}
      UNION ALL SELECT max(revoked_at) FROM license_keys WHERE revoked_at IS NOT NULL AND revoked_at < ${beforeMs}
      UNION ALL SELECT max(last_at) FROM key_refusals WHERE last_at < ${beforeMs} AND refused_day = (
        SELECT max(refused_day) FROM key_refusals WHERE last_at < ${beforeMs})
      UNION ALL SELECT * FROM (
        SELECT at FROM webhook_deliveries WHERE +at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_delivery
      UNION ALL SELECT * FROM (
        SELECT at FROM shop_sales WHERE +at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_sale
      UNION ALL SELECT * FROM (
        SELECT created_at FROM referral_tokens WHERE +created_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_token
      UNION ALL SELECT * FROM (
        SELECT created_at FROM credit_ledger WHERE +created_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_entry
      UNION ALL SELECT * FROM (
        SELECT created_at FROM orders WHERE +created_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_order
      UNION ALL SELECT * FROM (
        SELECT created_at FROM license_keys WHERE +created_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_key
      UNION ALL SELECT * FROM (
        SELECT first_connected_at FROM key_devices WHERE +first_connected_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_device
      UNION ALL SELECT * FROM (
        SELECT created_at FROM key_events WHERE +created_at < ${beforeMs} ORDER BY id DESC LIMIT 1) AS newest_event
      UNION ALL SELECT * FROM (
        SELECT at FROM audit WHERE at < ${beforeMs} AND action <> 'database_migrated' ORDER BY at DESC LIMIT 1) AS newest_audit
    ) AS instants`;
  return row?.newest ?? 0;
}
