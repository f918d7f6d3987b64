import { listed, listOf, part, type Sql } from "../db/contract.ts";

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
