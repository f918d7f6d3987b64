import { msPerDay } from "../clock.ts";
import type { Sql } from "../database/database.ts";
import { Refusal } from "../refusal.ts";

/** decisions.md 7: how long a retry is answered with the first result. */
const rememberedMs = msPerDay;

const charactersMax = 255;

/**
 * Does `work` once for each Idempotency-Key of an account, in the caller's transaction: a retry gets the first answer
 * again, and a refusal is not remembered, because `work` throws it and the transaction leaves nothing. Throws
 * `IDEMPOTENCY_KEY_REUSED` when the same key comes with another request.
 */
export async function onceFor<Answer>(
  sql: Sql,
  retry: { accountId: number; idempotencyKey: string | null; request: unknown; now: number },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { accountId, idempotencyKey, now } = retry;
  if (idempotencyKey === null) return work();
  await sql`DELETE FROM idempotency_keys WHERE created_at <= ${now - rememberedMs}`;
  const requestHash = new Bun.CryptoHasher("sha256").update(JSON.stringify(retry.request)).digest("hex");
  const [earlier] = await sql<{ requestHash: string; answer: string }>`
    SELECT request_hash AS "requestHash", answer FROM idempotency_keys
    WHERE account_id = ${accountId} AND idempotency_key = ${idempotencyKey}`;
  if (earlier && earlier.requestHash !== requestHash) {
    throw new Refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used for another request.");
  }
  if (earlier) return JSON.parse(earlier.answer) as Answer;
  const answer = await work();
  await sql`
    INSERT INTO idempotency_keys (account_id, idempotency_key, request_hash, answer, created_at)
    VALUES (${accountId}, ${idempotencyKey}, ${requestHash}, ${JSON.stringify(answer)}, ${now})`;
  return answer;
}

/** The request's Idempotency-Key, or `null`. Throws `INVALID` for one that no client could mean. */
export function idempotencyKeyIn(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > 0 && key.length <= charactersMax) return key;
  const message = `Idempotency-Key must be 1 to ${charactersMax} characters`;
  throw new Refusal("INVALID", message, { errors: [{ path: "Idempotency-Key", message }] });
}
