import { msPerHour } from "../core/clock.ts";
import { listed, part, type Sql, type SqlPart } from "../db/contract.ts";

/** What happened to the time or the limit of keys, in the order in which the API document lists it. */
export const keyHistoryEvents = ["STARTED", "EXTENDED", "LIMIT_CHANGED", "PAUSED", "RESUMED", "COMPENSATED"] as const;
export type KeyHistoryEvent = (typeof keyHistoryEvents)[number];

export interface KeyHistory {
  what: KeyHistoryEvent;
  ids: readonly number[];
  /** Null for a device, and for a pause that ends by itself. */
  madeBy: number | null;
  /** The same instant for all keys, or a column of `license_keys AS k`. */
  at: number | SqlPart;
  deviceId?: string;
  /** Hours, negative when taken back; or the new limit. */
  amount?: number;
  interventionId?: number;
}

/**
 * Adds a row for each key. An extension is added after it was carried out: one of an expired key, a renewal, leaves it
 * exactly its hours from then on.
 */
export async function addToHistory(sql: Sql, { what, ids, madeBy, at, ...more }: KeyHistory): Promise<void> {
  if (ids.length === 0) return;
  const { deviceId = null, amount = null, interventionId = null } = more;
  const isRenewed = part`k.paused_at IS NULL AND k.expires_at = ${at} + ${(amount ?? 0) * msPerHour}`;
  const isRenewal = what === "EXTENDED" ? part`CASE WHEN ${isRenewed} THEN 1 ELSE 0 END` : part`0`;
  await sql`
    INSERT INTO key_events (key_id, what, made_by, device_id, created_at, amount, is_renewal, intervention_id)
    SELECT k.id, ${what}, CAST(${madeBy} AS BIGINT), ${deviceId}, ${at}, CAST(${amount} AS BIGINT), ${isRenewal},
      CAST(${interventionId} AS BIGINT)
    FROM license_keys k WHERE k.id IN (${listed(ids)}) ORDER BY k.id`;
}
