import { firstOf, hasRows, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { SwitchOffReason, webhookKinds } from "./schema.ts";

export interface WebhookRow {
  id: number;
  accountId: number;
  /** Whose events it gets: a reseller's, or with 0 everybody's, which is an admin's. */
  owner: number;
  kind: (typeof webhookKinds)[number];
  url: string | null;
  chatId: string | null;
  sealedSecret: string | null;
  sealedPrevious: string | null;
  rotatedAt: number | null;
  /** Separated by spaces. */
  events: string;
  creditsBelowTenths: number | null;
  isActive: number;
  switchedOffAt: number | null;
  switchedOffReason: SwitchOffReason | null;
  createdAt: number;
}

export const webhookColumns = part`id, account_id AS "accountId", owner, kind, url, chat_id AS "chatId",
  sealed_secret AS "sealedSecret", sealed_previous AS "sealedPrevious", rotated_at AS "rotatedAt", events,
  credits_below_tenths AS "creditsBelowTenths", is_active AS "isActive", switched_off_at AS "switchedOffAt",
  switched_off_reason AS "switchedOffReason", created_at AS "createdAt"`;

const withUsername = part`${webhookColumns}, (SELECT username FROM accounts a WHERE a.id = account_id) AS username`;

/** In the order in which they were made. */
export async function listWebhooks(sql: Sql, accountId: number): Promise<WebhookRow[]> {
  return sql<WebhookRow>`SELECT ${webhookColumns} FROM webhooks WHERE account_id = ${accountId} ORDER BY id`;
}

export async function webhookOf(sql: Sql, id: number, accountId: number): Promise<WebhookRow | null> {
  return firstOf(sql<WebhookRow>`
    SELECT ${webhookColumns} FROM webhooks WHERE id = ${id} AND account_id = ${accountId}`);
}

/** Returns the new row's id, or null if the account has `webhooksMax` of them. */
export async function insertWebhook(
  sql: Sql,
  given: Omit<WebhookRow, "id">,
  webhooksMax: number,
): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO webhooks (account_id, owner, kind, url, chat_id, sealed_secret, events, credits_below_tenths, is_active,
      created_at)
    SELECT ${given.accountId}, ${given.owner}, ${given.kind}, CAST(${given.url} AS TEXT), CAST(${given.chatId} AS TEXT),
      CAST(${given.sealedSecret} AS TEXT), ${given.events}, CAST(${given.creditsBelowTenths} AS BIGINT), ${given.isActive},
      ${given.createdAt}
    WHERE (SELECT count(*) FROM webhooks WHERE account_id = ${given.accountId}) < ${webhooksMax} RETURNING id`;
  return row?.id ?? null;
}

/** If it is active afterwards, it is no longer switched off. */
export async function updateWebhook(
  sql: Sql,
  changed: Pick<WebhookRow, "id" | "url" | "chatId" | "sealedSecret" | "events" | "creditsBelowTenths" | "isActive">,
): Promise<void> {
  const kept = (column: SqlPart) => (changed.isActive ? part`NULL` : column);
  await sql`
    UPDATE webhooks SET url = ${changed.url}, chat_id = ${changed.chatId}, sealed_secret = ${changed.sealedSecret},
      events = ${changed.events}, credits_below_tenths = ${changed.creditsBelowTenths}, is_active = ${changed.isActive},
      switched_off_at = ${kept(part`switched_off_at`)}, switched_off_reason = ${kept(part`switched_off_reason`)}
    WHERE id = ${changed.id}`;
}

export async function rotateSecret(
  sql: Sql,
  { id, sealedSecret, at }: { id: number; sealedSecret: string; at: number },
): Promise<void> {
  await sql`
    UPDATE webhooks SET sealed_previous = sealed_secret, sealed_secret = ${sealedSecret}, rotated_at = ${at}
    WHERE id = ${id}`;
}

/** Returns it as it is afterwards, with its account's username, or null if it was not for the chat `from`. */
export async function moveChat(
  sql: Sql,
  { id, from, to }: { id: number; from: string | null; to: string },
): Promise<(WebhookRow & { username: string }) | null> {
  return firstOf(sql<WebhookRow & { username: string }>`
    UPDATE webhooks SET chat_id = ${to} WHERE id = ${id} AND chat_id = ${from} RETURNING ${withUsername}`);
}

/** Removes its deliveries too. Returns false if it is gone. */
export async function deleteWebhook(sql: Sql, id: number): Promise<boolean> {
  return hasRows(sql`DELETE FROM webhooks WHERE id = ${id} RETURNING id`);
}

/** Returns it as it is afterwards, with its account's username, or null if it was off. */
export async function switchOff(
  sql: Sql,
  { id, at, reason }: { id: number; at: number; reason: SwitchOffReason },
): Promise<(WebhookRow & { username: string }) | null> {
  return firstOf(sql<WebhookRow & { username: string }>`
    UPDATE webhooks SET is_active = 0, switched_off_at = ${at}, switched_off_reason = ${reason}
    WHERE id = ${id} AND is_active = 1
    RETURNING ${withUsername}`);
}

/** Its webhooks get no events while an account is suspended. */
export async function suspendWebhooksOf(sql: Sql, accountId: number, isSuspended: boolean): Promise<void> {
  await sql`UPDATE webhooks SET is_suspended = ${isSuspended ? 1 : 0} WHERE account_id = ${accountId}`;
}

/** How many webhooks of admins the server has switched off. */
export async function countSwitchedOff(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM webhooks WHERE owner = 0 AND switched_off_at IS NOT NULL`;
  return row?.count ?? 0;
}

export type SealedWebhook = Pick<WebhookRow, "id" | "accountId" | "sealedSecret" | "sealedPrevious">;

export async function allSealed(sql: Sql): Promise<SealedWebhook[]> {
  return sql<SealedWebhook>`
    SELECT id, account_id AS "accountId", sealed_secret AS "sealedSecret", sealed_previous AS "sealedPrevious"
    FROM webhooks WHERE sealed_secret IS NOT NULL`;
}

export async function replaceSealed(
  sql: Sql,
  { id, sealedSecret, sealedPrevious }: Omit<SealedWebhook, "accountId">,
): Promise<void> {
  await sql`
    UPDATE webhooks SET sealed_secret = ${sealedSecret}, sealed_previous = ${sealedPrevious} WHERE id = ${id}`;
}
