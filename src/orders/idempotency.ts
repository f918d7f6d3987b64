import type { Done } from "../accounts/acts.ts";
import { msPerDay } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import * as store from "./idempotency-store.ts";

/** How long a retry is answered with the first result (rules.md: Retries). */
const rememberedMs = msPerDay;

const charactersMax = 255;

interface IdempotentRequest {
  accountId: number;
  /** `null` where the client gave none: then `work` is simply done. */
  idempotencyKey: string | null;
  request: unknown;
  at: number;
}

/**
 * Does `work` once for each Idempotency-Key of an account, in the caller's transaction: a retry gets the first answer
 * again, and a refusal is not remembered, because `work` throws it and the transaction leaves nothing. Throws
 * `IDEMPOTENCY_KEY_REUSED` when the same key comes with another request.
 */
export async function onceFor<Answer>(
  sql: Sql,
  { accountId, idempotencyKey, request, at }: IdempotentRequest,
  work: () => Promise<Done<Answer>>,
): Promise<Done<Answer>> {
  if (idempotencyKey === null) return work();
  const forgottenAt = at - rememberedMs;
  await store.eraseForgotten(sql, forgottenAt);
  const requestHash = new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest("hex");
  const earlier = await store.rememberedAnswer(sql, { accountId, idempotencyKey }, forgottenAt);
  if (earlier && earlier.requestHash !== requestHash) {
    throw new Refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used for another request.");
  }
  if (earlier) return { result: JSON.parse(earlier.answer) as Answer, record: null };
  const done = await work();
  const answer = JSON.stringify(done.result);
  await store.rememberAnswer(sql, { accountId, idempotencyKey, requestHash, answer, at });
  return done;
}

/** The request's Idempotency-Key, or `null`. Throws `INVALID` for one that no client could mean. */
export function idempotencyKeyIn(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > 0 && key.length <= charactersMax) return key;
  const message = `Idempotency-Key must be 1 to ${charactersMax} characters`;
  throw new Refusal("INVALID", message, { errors: [{ path: "Idempotency-Key", message }] });
}
