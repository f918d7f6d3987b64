import { hasRows, part, type Sql } from "../db/contract.ts";

const isWatching = part`EXISTS (
  SELECT 1 FROM webhooks w WHERE w.is_active = 1 AND w.is_suspended = 0 AND w.events LIKE ${"%key.expiring%"})`;

/**
 * Called before a webhook is switched on: if no other one gets `key.expiring`, those of the time before are not sent.
 */
export async function startWatching(sql: Sql, at: number): Promise<void> {
  await sql`
    UPDATE key_expiry_watch SET recorded_until_at = ${at}, recorded_key_id = NULL
    WHERE recorded_until_at < ${at} AND NOT ${isWatching}`;
}

export async function isAnyWatching(sql: Sql): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM key_expiry_watch WHERE ${isWatching}`);
}

export interface ExpiringKey {
  id: number;
  resellerId: number | null;
  expiresAt: number;
}

/**
 * The next keys that have less than `noticeMs` left at `now`, in the order of their expiry. A key that had no more when
 * it started is left out, and so is one that is paused: it has more time left than its expiry says.
 */
export async function nextExpiring(
  sql: Sql,
  { now, noticeMs, rowsMax }: { now: number; noticeMs: number; rowsMax: number },
): Promise<ExpiringKey[]> {
  const [recorded] = await sql<{ until: number; keyId: number | null }>`
    SELECT recorded_until_at AS until, recorded_key_id AS "keyId" FROM key_expiry_watch`;
  const { until = now, keyId = null } = recorded ?? {};
  const after =
    keyId === null
      ? part`k.expires_at >= ${until + noticeMs}`
      : part`(k.expires_at, k.id) > (${until + noticeMs}, ${keyId})`;
  return sql<ExpiringKey>`
    SELECT k.id, k.reseller_id AS "resellerId", k.expires_at AS "expiresAt" FROM license_keys k
    WHERE ${after} AND k.expires_at > ${now} AND k.expires_at < ${now + noticeMs}
      AND k.revoked_at IS NULL AND k.paused_at IS NULL AND k.started_at <= k.expires_at - ${noticeMs}
    ORDER BY k.expires_at, k.id LIMIT ${rowsMax}`;
}

/** Remembers up to which key all are recorded, or with null up to which time. */
export async function markRecorded(sql: Sql, until: number, keyId: number | null): Promise<void> {
  await sql`UPDATE key_expiry_watch SET recorded_until_at = ${until}, recorded_key_id = ${keyId}`;
}
