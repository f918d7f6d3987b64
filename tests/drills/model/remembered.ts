import { type Outcome, refused } from "./outcome.ts";
import { put, type State } from "./state.ts";

/** How long a retry returns the first response. */
const rememberedMs = 86_400_000;

export interface Retryable {
  account: number;
  idempotencyKey: string | null;
  /** What identifies the request besides its account. */
  request: string;
}

/** The outcome of a call that was sent before with this Idempotency-Key, or `null` if it is carried out. */
export function retried(
  state: State,
  { account, idempotencyKey, request }: Retryable,
  { at, status }: { at: number; status: number },
): Outcome | null {
  const earlier = idempotencyKey === null ? undefined : state.idempotentResponses.get(`${account} ${idempotencyKey}`);
  if (!earlier || earlier.forgottenAt <= at) return null;
  if (earlier.request !== request) return refused(state, 422, "IDEMPOTENCY_KEY_REUSED");
  return { status, body: earlier.body, next: () => state };
}

export function remembering(
  state: State,
  { account, idempotencyKey, request }: Retryable,
  { body, at }: { body: unknown; at: number },
): State {
  if (idempotencyKey === null) return state;
  const response = { request, body, forgottenAt: at + rememberedMs };
  return { ...state, idempotentResponses: put(state.idempotentResponses, `${account} ${idempotencyKey}`, response) };
}
