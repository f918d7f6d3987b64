import { firstOf, hasRows, nothing, part, type Sql } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import { type WebhookRow, webhookColumns } from "./webhook-store.ts";

export interface DeliveryRow {
  id: number;
  webhookId: number;
  messageId: string;
  type: string;
  /** JSON. */
  data: string;
  at: number;
  /** Null if no attempt is due any more. */
  nextAt: number | null;
  /** JSON: those of `Delivery` in the schema. */
  tries: string;
}

const columns = part`id, webhook_id AS "webhookId", message_id AS "messageId", type, data, at,
  next_at AS "nextAt", tries`;

/** Newest first. */
export async function listDeliveries(
  sql: Sql,
  webhookId: number,
  { after, limitPart }: Page<[number]>,
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow>`
    SELECT ${columns} FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} ${after ? part`AND id < ${after[0]}` : nothing} ORDER BY id DESC ${limitPart}`;
}

/** Makes an attempt due now. Returns the delivery, or null if the webhook has none of this id. */
export async function makeDue(
  sql: Sql,
  { webhookId, messageId, at }: { webhookId: number; messageId: string; at: number },
): Promise<DeliveryRow | null> {
  return firstOf(sql<DeliveryRow>`
    UPDATE webhook_deliveries SET next_at = ${at}
    WHERE webhook_id = ${webhookId} AND message_id = ${messageId} RETURNING ${columns}`);
}

/** Ends the pending attempts of one webhook, or of all webhooks of an account. */
export async function endPending(sql: Sql, of: { webhookId: number } | { accountId: number }): Promise<void> {
  const webhooks =
    "webhookId" in of ? part`${of.webhookId}` : part`SELECT id FROM webhooks WHERE account_id = ${of.accountId}`;
  await sql`
    UPDATE webhook_deliveries SET next_at = NULL WHERE webhook_id IN (${webhooks}) AND next_at IS NOT NULL`;
}

/** The webhooks for which an attempt is due. The first part steps from one waiting webhook to the next in the index. */
export async function dueWebhooks(sql: Sql, at: number): Promise<WebhookRow[]> {
  return sql<WebhookRow>`
    WITH RECURSIVE waiting (webhook_id) AS (
      SELECT min(webhook_id) FROM webhook_deliveries WHERE next_at IS NOT NULL
      UNION ALL SELECT (
        SELECT min(d.webhook_id) FROM webhook_deliveries d
        WHERE d.next_at IS NOT NULL AND d.webhook_id > waiting.webhook_id)
      FROM waiting WHERE waiting.webhook_id IS NOT NULL)
    SELECT ${webhookColumns} FROM waiting JOIN webhooks w ON w.id = waiting.webhook_id
    WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.next_at <= ${at})`;
}

/** Takes due deliveries of a webhook. Unless they are settled, they are due again at `claimedUntil`. */
export async function claimDue(
  sql: Sql,
  { webhookId, at, claimedUntil, rowsMax }: { webhookId: number; at: number; claimedUntil: number; rowsMax: number },
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow>`
    UPDATE webhook_deliveries SET next_at = ${claimedUntil}
    WHERE next_at <= ${at} AND id IN (
      SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND next_at <= ${at}
      ORDER BY next_at, id LIMIT ${rowsMax})
    RETURNING ${columns}`;
}

export interface Settled {
  id: number;
  tries: string;
  nextAt: number | null;
  claimedUntil: number;
}

/** Records an attempt. If the delivery was ended or sent again meanwhile, that stays. */
export async function settle(sql: Sql, { id, tries, nextAt, claimedUntil }: Settled): Promise<void> {
  await sql`
    UPDATE webhook_deliveries
    SET tries = ${tries}, next_at = CASE WHEN next_at = ${claimedUntil} THEN CAST(${nextAt} AS BIGINT) ELSE next_at END
    WHERE id = ${id}`;
}

/** How many deliveries wait, by webhook. */
export async function countWaiting(sql: Sql): Promise<{ webhookId: number; count: number }[]> {
  return sql<{ webhookId: number; count: number }>`
    SELECT webhook_id AS "webhookId", count(*) AS count FROM webhook_deliveries WHERE next_at IS NOT NULL
    GROUP BY webhook_id`;
}

/** The webhooks that got deliveries with ids after this one, each with its newest. */
export async function webhooksAfter(sql: Sql, id: number): Promise<{ webhookId: number; newestId: number }[]> {
  return sql<{ webhookId: number; newestId: number }>`
    SELECT webhook_id AS "webhookId", max(id) AS "newestId" FROM webhook_deliveries WHERE id > ${id}
    GROUP BY webhook_id`;
}

export async function newestId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM webhook_deliveries`;
  return row?.id ?? 0;
}

/** An id up to which a webhook's finished deliveries follow `keptMax` newer ones, or null. Only an index is read. */
export async function surplusUntil(sql: Sql, webhookId: number, keptMax: number): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} ORDER BY id DESC LIMIT 1 OFFSET ${keptMax} + (
      SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND next_at IS NOT NULL)`;
  return row?.id ?? null;
}

/** Erases some of a webhook's finished deliveries up to an id. Returns false if there was none. */
export async function eraseFinished(
  sql: Sql,
  { webhookId, until, rowsMax }: { webhookId: number; until: number; rowsMax: number },
): Promise<boolean> {
  return hasRows(sql`
    DELETE FROM webhook_deliveries WHERE next_at IS NULL AND id IN (
      SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND id <= ${until} AND next_at IS NULL
      ORDER BY id LIMIT ${rowsMax})
    RETURNING id`);
}

/** The rows are in the order of their time, so the first tells whether any is that old. */
export async function hasOlder(sql: Sql, keptSince: number): Promise<boolean> {
  return hasRows(sql`
    SELECT 1 FROM (SELECT at FROM webhook_deliveries ORDER BY id LIMIT 1) AS oldest WHERE at < ${keptSince}`);
}

export async function eraseOldest(sql: Sql, keptSince: number, rowsMax: number): Promise<void> {
  await sql`
    DELETE FROM webhook_deliveries WHERE at < ${keptSince} AND id IN (
      SELECT id FROM webhook_deliveries ORDER BY id LIMIT ${rowsMax})`;
}

export async function hasAny(sql: Sql, webhookId: number): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM webhook_deliveries WHERE webhook_id = ${webhookId} LIMIT 1`);
}

export async function eraseSomeOf(sql: Sql, webhookId: number, rowsMax: number): Promise<void> {
  await sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} ORDER BY id LIMIT ${rowsMax})`;
}
