import { listed, listOf, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { WebhookEventType } from "./webhook-events.ts";

/** A webhook that gets the events of an owner. */
export interface Listener {
  id: number;
  /** A reseller's id, or 0 for everybody's events. */
  owner: number;
  /** Separated by spaces. */
  events: string;
  creditsBelowTenths: number | null;
}

/** The webhooks that are on: those of these resellers, and those for everybody's events. */
export async function listenersOf(sql: Sql, resellerIds: readonly number[]): Promise<Listener[]> {
  return sql<Listener>`
    SELECT w.id, w.owner, w.events, w.credits_below_tenths AS "creditsBelowTenths" FROM webhooks w
    WHERE w.is_active = 1 AND w.is_suspended = 0 AND w.owner IN (${listed([0, ...resellerIds])})`;
}

/**
 * SQL for 1 if a webhook gets events of this type about a row of `key_devices`, otherwise 0. It is part of the statement
 * that changes the row, so that an event that no webhook gets costs no statement. SQLite prepares a statement again each
 * time a parameter that is a whole pattern of LIKE is bound, which takes three times as long as connecting a device.
 */
export function isHeard(type: WebhookEventType): SqlPart {
  return part`CASE WHEN EXISTS (
    SELECT 1 FROM webhooks w WHERE w.is_active = 1 AND w.is_suspended = 0 AND w.events LIKE '%' || ${type} || '%'
      AND w.owner IN (0, (SELECT k.reseller_id FROM license_keys k WHERE k.id = key_id))) THEN 1 ELSE 0 END`;
}

export async function usernamesOf(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; username: string }>`
    SELECT id, username FROM accounts WHERE id IN (${listed(ids)})`;
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** The text and the order of each of these keys. */
export async function keysWith(
  sql: Sql,
  ids: readonly number[],
): Promise<Map<number, { keyString: string; orderId: number | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; keyString: string; orderId: number | null }>`
    SELECT id, key_string AS "keyString", order_id AS "orderId" FROM license_keys WHERE id IN (${listed(ids)})`;
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

export interface NewDelivery {
  webhookId: number;
  messageId: string;
  type: string;
  /** JSON. */
  data: string;
  at: number;
  nextAt: number;
}

/** Returns the ids of the new rows. */
export async function insertDeliveries(sql: Sql, deliveries: readonly NewDelivery[]): Promise<number[]> {
  const rows = deliveries.map(
    ({ webhookId, messageId, type, data, at, nextAt }) =>
      part`(${webhookId}, ${messageId}, ${type}, ${data}, ${at}, ${nextAt})`,
  );
  const inserted = await sql<{ id: number }>`
    INSERT INTO webhook_deliveries (webhook_id, message_id, type, data, at, next_at) VALUES ${listOf(rows)} RETURNING id`;
  return inserted.map(({ id }) => id);
}

/**
 * Changes deliveries that wait for the rest of their event. Returns whether any still does: those of a webhook that was
 * switched off meanwhile do not.
 */
export async function changeHeld(
  sql: Sql,
  ids: readonly number[],
  { data, nextAt, at }: { data: string; nextAt: number; at: number },
): Promise<boolean> {
  const rows = await sql`
    UPDATE webhook_deliveries SET data = ${data}, next_at = ${nextAt}
    WHERE id IN (${listed(ids)}) AND next_at > ${at} AND tries = '[]' RETURNING id`;
  return rows.length > 0;
}
