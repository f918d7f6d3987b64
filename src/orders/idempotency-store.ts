import type { Sql } from "../database/database.ts";

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

export async function rememberedAnswer(
  sql: Sql,
  { accountId, idempotencyKey }: Pick<RememberedAnswer, "accountId" | "idempotencyKey">,
): Promise<Pick<RememberedAnswer, "requestHash" | "answer"> | null> {
  const [row] = await sql<Pick<RememberedAnswer, "requestHash" | "answer">>`
    SELECT request_hash AS "requestHash", answer FROM idempotency_keys
    WHERE account_id = ${accountId} AND idempotency_key = ${idempotencyKey}`;
  return row ?? null;
}

export async function rememberAnswer(
  sql: Sql,
  { accountId, idempotencyKey, requestHash, answer, at }: RememberedAnswer,
): Promise<void> {
  await sql`
    INSERT INTO idempotency_keys (account_id, idempotency_key, request_hash, answer, created_at)
    VALUES (${accountId}, ${idempotencyKey}, ${requestHash}, ${answer}, ${at})`;
}

/** Forgets every answer that was remembered at this instant or before. */
export async function forgetAnswers(sql: Sql, at: number): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE created_at <= ${at}`;
}
