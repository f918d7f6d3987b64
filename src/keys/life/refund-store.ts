import { listed, part, type Sql, type SqlPart } from "../../db/contract.ts";
import { isSelected, type Selection } from "../selection/selection-store.ts";
import { isConnected } from "../store.ts";

/** Orders from `since` on are paid back. */
export interface RefundTime {
  since: number;
  at: number;
}

/** Whether any device was ever connected to `license_keys AS k`, also one that was removed since. */
const wasConnected = part`(${isConnected} OR EXISTS (
  SELECT 1 FROM key_events e WHERE e.key_id = k.id
    AND e.what IN ('STARTED', 'DEVICE_REMOVED', 'DEVICES_RESET', 'DEVICE_RELEASED', 'DEVICE_IDLE')))`;

/**
 * What revoking `license_keys AS k` pays back, in tenths: its part of the order and everything since, or 0. The key may
 * have been revoked in the same transaction.
 */
export function refundOf({ since, at }: RefundTime): SqlPart {
  return part`CASE WHEN (k.paused_at IS NOT NULL OR k.expires_at > ${at}) AND NOT ${wasConnected} THEN coalesce((
      SELECT o.cost_tenths / o.key_count - CAST(coalesce(
        (SELECT sum(l.amount_tenths) FROM credit_ledger l WHERE l.key_id = k.id), 0) AS BIGINT)
      FROM orders o WHERE o.id = k.order_id AND o.reseller_id = k.reseller_id AND o.created_at >= ${since}), 0)
    ELSE 0 END`;
}

export function refundOfKey(sql: Sql, id: number, time: RefundTime): Promise<number> {
  return sumOf(sql, part`k.id = ${id}`, time);
}

/** Of the selected keys, which belong to this reseller. */
export function refundOfSelection(
  sql: Sql,
  resellerId: number,
  selection: Selection,
  time: RefundTime,
): Promise<number> {
  const isRecent = part`k.order_id IN (
    SELECT o.id FROM orders o WHERE o.reseller_id = ${resellerId} AND o.created_at >= ${time.since})`;
  return sumOf(sql, part`${isRecent} AND ${isSelected(selection)}`, time);
}

async function sumOf(sql: Sql, condition: SqlPart, time: RefundTime): Promise<number> {
  const [row] = await sql<{ tenths: number }>`
    SELECT CAST(coalesce(sum(${refundOf(time)}), 0) AS BIGINT) AS tenths
    FROM license_keys k WHERE k.revoked_at IS NULL AND ${condition}`;
  return row?.tenths ?? 0;
}

/** The reseller that owns these keys; null for admin keys. All of them have the same owner. */
export async function resellerOf(sql: Sql, ids: readonly number[]): Promise<number | null> {
  const [row] = await sql<{ id: number | null }>`
    SELECT k.reseller_id AS id FROM license_keys k WHERE k.id IN (${listed(ids)}) LIMIT 1`;
  return row?.id ?? null;
}
