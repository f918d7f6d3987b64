import type { Clock } from "./clock.ts";

/** The code of every expected failure. Only `http/errors.ts` maps them to HTTP statuses. */
export const refusalCodes = [
  ...(["INVALID_JSON", "INVALID_PATH", "UNKNOWN_HOST", "NOT_SIGNED_IN", "API_KEY_UNKNOWN", "API_KEY_EXPIRED"] as const),
  ...(["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR", "SIGNATURE_WRONG"] as const),
  ...(["CREDITS_SHORT", "FORBIDDEN", "RIGHT_MISSING", "SCOPE_MISSING", "API_KEY_NOT_ALLOWED"] as const),
  ...(["ADDRESS_NOT_ALLOWED", "SUSPENDED", "SWITCHED_OFF", "CROSS_SITE", "NOT_FOUND", "METHOD_NOT_ALLOWED"] as const),
  ...(["USERNAME_TAKEN", "KEY_TAKEN", "NAME_TAKEN", "HOURS_TAKEN", "KEY_ALREADY_REVOKED", "KEY_NOT_ACTIVE"] as const),
  ...(["REPLACED_TOO_OFTEN", "RELEASE_NOT_ALLOWED", "DEVICE_NOT_FOUND", "RELEASE_TOO_SOON", "PAUSE_USED_UP"] as const),
  ...(["PAUSED_BY_ADMIN", "ALREADY_UNDONE", "NOT_UNDOABLE", "IMPORT_IN_USE", "IMPORT_UNDER_WAY"] as const),
  ...(["DEVICES_CONNECTED", "EXPIRY_TOO_FAR", "COUNT_CHANGED", "COST_CHANGED", "TOKEN_USED", "TWO_FACTOR_ON"] as const),
  ...(["TWO_FACTOR_NOT_BEGUN", "BALANCE_TOO_LARGE", "NOTHING_LEFT", "TOO_MANY_API_KEYS", "TOO_MANY_WEBHOOKS"] as const),
  ...([
    "TOO_MANY_STAFF",
    "TOO_MANY_BLOCKS",
    "TOO_MANY_SHOP_LINKS",
    "SALE_CHANGED",
    "BACKUP_UNDER_WAY",
    "BACKUPS_ELSEWHERE",
  ] as const),
  ...(["BODY_TOO_LARGE", "NOT_JSON", "INVALID", "INVALID_DAY_TIER", "NOT_SOLD", "TOKEN_UNKNOWN"] as const),
  ...(["IDEMPOTENCY_KEY_REUSED", "EXTERNAL_ID_REUSED", "TOO_MANY_TRIES", "CREDITS_PER_DAY_SPENT"] as const),
  ...(["STORAGE_UNAVAILABLE", "BUSY", "CLOCK_AHEAD"] as const),
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** One wrong field: `path` is its name in the request, such as `count`; `message` is a complete sentence. */
export interface FieldProblem {
  path: string;
  message: string;
}

/**
 * Thrown by the business logic with a complete sentence for people. `retryAfterSeconds` becomes the `Retry-After`
 * header; `errors` lists the wrong fields of an `INVALID` refusal; `cost` is the new one of a `COST_CHANGED` refusal, in
 * credits; `allowedAt` is when the release of a `RELEASE_TOO_SOON` refusal may be made; a `KEY_TAKEN` refusal with
 * `isOwn` names the caller's own key. Its account and cause are only
 * for the log. A refusal with `isHeldBack` is sent after about a second: programs that ignore `Retry-After` would keep
 * the server busy with refusals.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** A username, if there is an account. */
  account: string | null = null;

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly details: {
      errors?: FieldProblem[];
      retryAfterSeconds?: number;
      isHeldBack?: boolean;
      isOwn?: boolean;
      cost?: number;
      allowedAt?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

const retryWhenBusySeconds = 2;

/** For work that was not started, or was rolled back. */
export function busy(cause?: unknown): Refusal {
  const sentence = "The server is busy or stopping. Nothing was changed; please try again in a moment.";
  return new Refusal("BUSY", sentence, { retryAfterSeconds: retryWhenBusySeconds, cause });
}

export const clockAheadSentence =
  "The server's clock is ahead of its records. Nothing is sold until an operator corrects or confirms it.";

/** For a call that spends credits, creates keys or sets a date of a key. Throws `CLOCK_AHEAD`. */
export function refuseIfAhead(clock: Pick<Clock, "isAhead">): void {
  if (clock.isAhead()) throw new Refusal("CLOCK_AHEAD", clockAheadSentence);
}

/** Throws `INVALID` if there are problems, with the first one's message. For rules that concern several fields. */
export function refuseProblems(problems: FieldProblem[]): void {
  const [first] = problems;
  if (first) throw new Refusal("INVALID", first.message, { errors: problems });
}

/** The same for one field. */
export function invalid(path: string, message: string): Refusal {
  return new Refusal("INVALID", message, { errors: [{ path, message }] });
}
