import type { Sql } from "../db/contract.ts";

const listensForExpiry = "%key.expiring%";

/**
 * Called before a webhook is switched on: if no other one gets `key.expiring`, those of the time before are not sent.
 */
export async function startWatching(sql: Sql, at: number): Promise<void> {
  await sql`
    UPDATE key_expiry_watch SET told_until_at = ${at}, told_key_id = NULL
    WHERE told_until_at < ${at} AND NOT EXISTS (
      SELECT 1 FROM webhooks w
      WHERE w.is_active = 1 AND w.is_suspended = 0 AND w.events LIKE ${listensForExpiry})`;
}
