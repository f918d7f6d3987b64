import type { Sql } from "./contract.ts";

/**
 * Returns the latest time in the database, in milliseconds, or 0 if it is empty. For tables that grow without bound only the newest row is
 * read, because rows are written in order of time, so it takes no longer with a million keys.
 */
export async function newestInstant(sql: Sql): Promise<number> {
  const [row] = await sql<{ newest: number | null }>`
    SELECT max(at) AS newest FROM (
      SELECT max(applied_at) AS at FROM schema_migrations
      UNION ALL SELECT max(created_at) FROM accounts
      UNION ALL SELECT max(removed_at) FROM accounts
      UNION ALL SELECT max(enabled_at) FROM two_factor
      UNION ALL SELECT max(last_used_at) FROM known_addresses
      UNION ALL SELECT max(last_seen_at) FROM sessions
      UNION ALL SELECT max(created_at) FROM idempotency_keys
      UNION ALL SELECT max(updated_at) FROM online_updates
      UNION ALL SELECT max(used_at) FROM referral_tokens
      UNION ALL SELECT created_at FROM referral_tokens WHERE id = (SELECT max(id) FROM referral_tokens)
      UNION ALL SELECT created_at FROM credit_ledger WHERE id = (SELECT max(id) FROM credit_ledger)
      UNION ALL SELECT created_at FROM orders WHERE id = (SELECT max(id) FROM orders)
      UNION ALL SELECT created_at FROM license_keys WHERE id = (SELECT max(id) FROM license_keys)
      UNION ALL SELECT max(revoked_at) FROM license_keys WHERE revoked_at IS NOT NULL
      UNION ALL SELECT first_connected_at FROM key_devices WHERE id = (SELECT max(id) FROM key_devices)
      UNION ALL SELECT at FROM audit WHERE id = (SELECT max(id) FROM audit)
      UNION ALL SELECT max(last_at) FROM key_refusals WHERE refused_day = (SELECT max(refused_day) FROM key_refusals)
      UNION ALL SELECT created_at FROM key_events WHERE id = (SELECT max(id) FROM key_events)
    ) AS instants`;
  return row?.newest ?? 0;
}
