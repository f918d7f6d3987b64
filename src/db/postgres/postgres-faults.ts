import { busy, Refusal } from "../../core/refusal.ts";

const retryAfterSeconds = 2;

/** Returns the five characters of SQLSTATE, or null for an error of the connection or another kind of error. */
export function stateOf(error: unknown): string | null {
  return error instanceof Bun.SQL.PostgresError && error.errno !== undefined ? String(error.errno) : null;
}

/** A conflict with another commit: the same work may succeed if it runs again. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(stateOf(causeOf(error)) ?? "");
}

/** The connection is gone, or the database is stopping or starting. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error);
  if (!(cause instanceof Bun.SQL.PostgresError)) return false;
  return /^(08|57P)/.test(stateOf(cause) ?? "") || /^ERR_POSTGRES_(CONNECTION|LIFETIME|IDLE)/.test(String(cause.code));
}

/** An established connection was closed by the other end. */
export function isClosed(error: unknown): boolean {
  if (!(error instanceof Bun.SQL.PostgresError)) return false;
  return stateOf(error) === "57P01" || error.code === "ERR_POSTGRES_CONNECTION_CLOSED";
}

/** The server accepts no writes: it is a standby, or was set to read only. A standby refuses SERIALIZABLE by 0A000. */
export function isReadOnly(error: unknown): boolean {
  return /^(25006|0A000)$/.test(stateOf(causeOf(error)) ?? "");
}

/** A row with the same key exists, which the transaction's snapshot may not show. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(causeOf(error)) === "23505";
}

/**
 * An error that the operator or a retry can resolve becomes a refusal. Any other error of PostgreSQL is our own fault
 * and is not translated.
 */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const state = stateOf(error) ?? "";
  if (isConflict(error) || state === "55P03") return busy(error);
  // 53: no space, no memory, no free connection; 57014: cancelled because it took too long.
  if (!isLost(error) && !isReadOnly(error) && !/^(25P03|53|57014|58)/.test(state)) return error;
  return unreachable(error);
}

export function unreachable(cause: unknown): Refusal {
  const sentence = "The server cannot reach its database at the moment. Please try again in a moment.";
  return new Refusal("STORAGE_UNAVAILABLE", sentence, { retryAfterSeconds, cause });
}

/** A unit's statement fails with a refusal, whose cause the engine inspects. */
function causeOf(error: unknown): unknown {
  return error instanceof Refusal ? error.cause : error;
}
