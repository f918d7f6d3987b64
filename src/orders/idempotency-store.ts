import type { Sql } from "../db/contract.ts";

/** What the request under an account's Idempotency-Key was answered. */
export interface RememberedAnswer {
  accountId: number;
  idempotencyKey: string;
  /** Of the request: another one under the same key is a mistake. */
  requestHash: string;
  /** As JSON. */
  answer: string;
  at: number;
}

/** `null` also for one that was remembered at the instant `forgottenAt` or before. */
export async function rememberedAnswer(
  sql: Sql,
  { accountId, idempotencyKey }: Pick<RememberedAnswer, "accountId" | "idempotencyKey">,
  forgottenAt: number,
): Promise<Pick<RememberedAnswer, "requestHash" | "answer"> | null> {
  const [row] = await sql<Pick<RememberedAnswer, "requestHash" | "answer">>`
    SELECT request_hash AS "requestHash", answer FROM idempotency_keys
    WHERE account_id = ${accountId} AND idempotency_key = ${idempotencyKey} AND created_at > ${forgottenAt}`;
  return row ?? null;
}

/** Takes the place of a forgotten answer under the same key. */
export async function rememberAnswer(
  sql: Sql,
  { accountId, idempotencyKey, requestHash, answer, at }: RememberedAnswer,
): Promise<void> {
  await sql`
    INSERT INTO idempotency_keys (account_id, idempotency_key, request_hash, answer, created_at)
    VALUES (${accountId}, ${idempotencyKey}, ${requestHash}, ${answer}, ${at})
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET
      request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`;
}

/** How many forgotten answers are erased at once. Each purchase adds one, so there are never more than a day's. */
const erasedAtOnce = 20;

/** Erases some of the answers that were remembered at this instant or before. */
export async function eraseForgotten(sql: Sql, forgottenAt: number): Promise<void> {
  await sql`
    DELETE FROM idempotency_keys WHERE (account_id, idempotency_key) IN (
      SELECT account_id, idempotency_key FROM idempotency_keys
      WHERE created_at <= ${forgottenAt} ORDER BY created_at LIMIT ${erasedAtOnce})`;
}
