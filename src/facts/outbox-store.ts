import { msPerMinute } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { keyEnd } from "../core/key-text.ts";
import { listed, listOf, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { WebhookEvent, WebhookEventData, WebhookEventType } from "./webhook-events.ts";

/** What happened to one reseller's keys or credits, or to something of the admins'. */
export interface NewEvent extends WebhookEvent {
  /** Null for an admin's keys, and for what has no owner. */
  resellerId: number | null;
  at: number;
  /** Receivers also get the username, and of a key its end and its order. */
  data: Omit<WebhookEventData, "resellerId" | "username" | "key">;
  /** It is only for webhooks below whose limit the balance fell. */
  fell?: { fromTenths: number; toTenths: number };
}

/** How many keys an event lists. */
export const keyIdsMax = 500;

/** What an event says of many keys. */
export function keysIn(ids: readonly number[]): { count: number; keyIds: number[] } {
  return { count: ids.length, keyIds: ids.slice(0, keyIdsMax) };
}

/** One statement fits any database with so many rows. */
const rowsPerStatement = 100;

/**
 * Writes the deliveries of events in the caller's transaction, which makes the changes that they report. Where no
 * webhook gets them, this is one look-up.
 */
export async function recordEvents(sql: Sql, events: readonly NewEvent[]): Promise<void> {
  const wanted = await wantedBy(sql, events);
  for (let from = 0; from < wanted.length; from += rowsPerStatement) {
    await insertDeliveries(sql, wanted.slice(from, from + rowsPerStatement));
  }
}

/** While keys are still being changed, their event waits this long after each part. */
const heldMs = msPerMinute;

/** An event about keys that several transactions change, as far as it has come. */
export interface PartialEvent {
  count: number;
  keyIds: number[];
  /** None if no webhook gets it. */
  deliveryIds: number[];
  data: string;
}

/**
 * Adds keys to an event, in the transaction that changes them. It is sent once `sendHeld` is called, or, if that never
 * happens, a minute after the last part.
 */
export async function recordPart(
  sql: Sql,
  before: PartialEvent | null,
  { event, ids }: { event: NewEvent; ids: readonly number[] },
): Promise<PartialEvent> {
  const nextAt = event.at + heldMs;
  const part = async (count: number, keyIds: number[]) => {
    const deliveries = await wantedBy(sql, [{ ...event, data: { ...event.data, count, keyIds } }]);
    return { count, keyIds, deliveries, data: deliveries[0]?.data ?? "" };
  };
  if (before && before.deliveryIds.length > 0) {
    const whole = await part(before.count + ids.length, [...before.keyIds, ...ids].slice(0, keyIdsMax));
    const { deliveryIds } = before;
    const isHeld = await changeHeld(sql, deliveryIds, { data: whole.data, nextAt, at: event.at });
    if (isHeld) return { ...whole, deliveryIds };
  }
  const { deliveries, ...own } = await part(ids.length, ids.slice(0, keyIdsMax));
  if (deliveries.length === 0) return { ...own, deliveryIds: [] };
  const rows = deliveries.map((row) => ({ ...row, nextAt }));
  return { ...own, deliveryIds: await insertDeliveries(sql, rows) };
}

/** Sends an event of which all parts are recorded. */
export async function sendHeld(sql: Sql, { deliveryIds, data }: PartialEvent, at: number): Promise<void> {
  if (deliveryIds.length > 0) await changeHeld(sql, deliveryIds, { data, nextAt: at, at });
}

/** What a reseller paid. */
export interface Charged {
  /** In credits: what it cost, and what is left. */
  paid: { cost: number; credits: number };
  /** For the webhooks below whose limit the balance fell. */
  low: NewEvent;
}

/** A balance that became smaller, of which a webhook is told if it fell below its `creditsBelow`. */
export function creditsSpent(
  resellerId: number,
  { at, fromTenths, toTenths }: { at: number; fromTenths: number; toTenths: number },
): NewEvent {
  const data = { balance: creditsOf(toTenths) };
  return { type: "credits.low", resellerId, at, data, fell: { fromTenths, toTenths } };
}

async function wantedBy(sql: Sql, events: readonly NewEvent[]): Promise<NewDelivery[]> {
  const resellerIds = [...new Set(events.flatMap(({ resellerId }) => resellerId ?? []))];
  const listeners = await listenersOf(sql, resellerIds);
  const hears = (event: NewEvent) => listeners.filter((listener) => listensTo(listener, event));
  const heard = events.filter((event) => hears(event).length > 0);
  const names = await usernamesOf(sql, [...new Set(heard.flatMap(({ resellerId }) => resellerId ?? []))]);
  const keys = await keysWith(sql, [...new Set(heard.flatMap(({ data }) => data.keyId ?? []))]);
  return heard.flatMap((event) => {
    const messageId = crypto.randomUUID();
    const { type, at, resellerId } = event;
    const key = keys.get(event.data.keyId ?? 0);
    const data = JSON.stringify({
      ...(resellerId !== null && { resellerId, username: names.get(resellerId) }),
      ...(key && { key: keyEnd(key.keyString) }),
      ...(key && key.orderId !== null && { orderId: key.orderId }),
      ...event.data,
    });
    return hears(event).map(({ id }) => ({ webhookId: id, messageId, type, data, at, nextAt: at }));
  });
}

function listensTo({ owner, events, creditsBelowTenths }: Listener, { type, resellerId, fell }: NewEvent) {
  if (!events.split(" ").includes(type) || (owner !== 0 && owner !== resellerId)) return false;
  if (!fell) return true;
  return creditsBelowTenths !== null && fell.fromTenths >= creditsBelowTenths && fell.toTenths < creditsBelowTenths;
}

/** A webhook that gets the events of an owner. */
interface Listener {
  id: number;
  /** A reseller's id, or 0 for everybody's events. */
  owner: number;
  /** Separated by spaces. */
  events: string;
  creditsBelowTenths: number | null;
}

/** The webhooks that are on: those of these resellers, and those for everybody's events. */
async function listenersOf(sql: Sql, resellerIds: readonly number[]): Promise<Listener[]> {
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

async function usernamesOf(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; username: string }>`
    SELECT id, username FROM accounts WHERE id IN (${listed(ids)})`;
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** The text and the order of each of these keys. */
async function keysWith(
  sql: Sql,
  ids: readonly number[],
): Promise<Map<number, { keyString: string; orderId: number | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; keyString: string; orderId: number | null }>`
    SELECT id, key_string AS "keyString", order_id AS "orderId" FROM license_keys WHERE id IN (${listed(ids)})`;
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

interface NewDelivery {
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
async function changeHeld(
  sql: Sql,
  ids: readonly number[],
  { data, nextAt, at }: { data: string; nextAt: number; at: number },
): Promise<boolean> {
  const rows = await sql`
    UPDATE webhook_deliveries SET data = ${data}, next_at = ${nextAt}
    WHERE id IN (${listed(ids)}) AND next_at > ${at} AND tries = '[]' RETURNING id`;
  return rows.length > 0;
}
