import { listed, part, type Sql, type SqlPart } from "../../db/contract.ts";
import { isOpen } from "../model.ts";
import type { NoRefund } from "../schema.ts";
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

/** What was paid for `license_keys AS k` in tenths: its part of `orders AS o`, and everything since. */
const paidFor = part`(coalesce(o.cost_tenths / o.key_count, 0) - CAST(coalesce(
  (SELECT sum(l.amount_tenths) FROM credit_ledger l WHERE l.key_id = k.id), 0) AS BIGINT))`;

/**
 * What revoking `license_keys AS k` pays back, in tenths: all that was paid for it, or 0. The key may have been revoked
 * in the same transaction.
 */
export function refundOf({ since, at }: RefundTime): SqlPart {
  return part`CASE WHEN (k.paused_at IS NOT NULL OR k.expires_at > ${at}) AND NOT ${wasConnected} THEN coalesce((
      SELECT ${paidFor} FROM orders o WHERE o.id = k.order_id AND o.reseller_id = k.reseller_id AND o.created_at >= ${since}), 0)
    ELSE 0 END`;
}

/** The same for one key, and the first reason why it is nothing. */
export async function refundOfKey(
  sql: Sql,
  id: number,
  { since, at }: RefundTime,
): Promise<{ tenths: number; noRefund: NoRefund | null }> {
  const [row] = await sql<{ tenths: number; noRefund: NoRefund | null }>`
    SELECT ${paidFor} AS tenths, CASE WHEN NOT (${isOpen(at)}) THEN 'NOT_ACTIVE' WHEN ${paidFor} = 0 THEN 'FREE'
      WHEN o.id IS NULL OR o.created_at < ${since} THEN 'TOO_OLD' WHEN ${wasConnected} THEN 'DEVICE_CONNECTED'
      END AS "noRefund"
    FROM license_keys k LEFT JOIN orders o ON o.id = k.order_id AND o.reseller_id = k.reseller_id WHERE k.id = ${id}`;
  const { tenths = 0, noRefund = "NOT_ACTIVE" } = row ?? {};
  return { tenths: noRefund === null ? tenths : 0, noRefund };
}

/** Of the selected keys, which belong to this reseller. */
export async function refundOfSelection(
  sql: Sql,
  resellerId: number,
  selection: Selection,
  time: RefundTime,
): Promise<number> {
  const isRecent = part`k.order_id IN (
    SELECT o.id FROM orders o WHERE o.reseller_id = ${resellerId} AND o.created_at >= ${time.since})`;
  const [row] = await sql<{ tenths: number }>`
    SELECT CAST(coalesce(sum(${refundOf(time)}), 0) AS BIGINT) AS tenths
    FROM license_keys k WHERE k.revoked_at IS NULL AND ${isRecent} AND ${isSelected(selection)}`;
  return row?.tenths ?? 0;
}

/** The reseller that owns these keys; null for admin keys. All of them have the same owner. */
export async function resellerOf(sql: Sql, ids: readonly number[]): Promise<number | null> {
  const [row] = await sql<{ id: number | null }>`
    SELECT k.reseller_id AS id FROM license_keys k WHERE k.id IN (${listed(ids)}) LIMIT 1`;
  return row?.id ?? null;
}
