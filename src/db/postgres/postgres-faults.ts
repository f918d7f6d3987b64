import type { RandomBytes } from "../../core/random.ts";
import { Refusal } from "../../core/refusal.ts";

/** How often work that lost against other work is tried, and up to how long it waits before the next time. */
const triesMax = 5;
const retryMsMax = 50;

/** The database is back within seconds, or somebody has to look at it. */
const retryAfterSeconds = 2;

/** What PostgreSQL calls the fault: five characters of SQLSTATE; `null` where the fault is the connection's, or none of the database. */
export function stateOf(error: unknown): string | null {
  return error instanceof Bun.SQL.PostgresError && error.errno !== undefined ? String(error.errno) : null;
}

/** Another commit was in the way: the same work may succeed when it is run again. */
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

/** Runs work again where other work was in the way, a bounded number of times. It begins from its start, so it changes nothing but rows. */
export async function again<Result>(
  work: () => Promise<Result>,
  { isInTheWay, randomBytes }: { isInTheWay: (error: unknown) => boolean; randomBytes: RandomBytes },
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isInTheWay(error) || tries === triesMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, jitterMs(randomBytes)));
    }
  }
}

function jitterMs(randomBytes: RandomBytes): number {
  const [byte = 0] = randomBytes(new Uint8Array(1));
  return (byte / 255) * retryMsMax;
}

/** What an operator or the next try may put right is an expected "no"; anything else PostgreSQL says is a fault of ours, and stays one. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const state = stateOf(error) ?? "";
  if (isConflict(error) || state === "55P03") {
    const sentence = "The server is busy. Nothing was changed; please try again in a moment.";
    return new Refusal("BUSY", sentence, { retryAfterSeconds, cause: error });
  }
  // 25006: a copy that may only be read; 53: no room, no memory, no connection left; 57014: cut off because it took too long.
  if (!isLost(error) && !/^(25006|25P03|53|57014|58)/.test(state)) return error;
  const sentence = "The server cannot reach its database at the moment. Please try again in a moment.";
  return new Refusal("STORAGE_UNAVAILABLE", sentence, { retryAfterSeconds, cause: error });
}

/** A statement of a unit fails as a refusal, whose cause the engine looks at. */
function causeOf(error: unknown): unknown {
  return error instanceof Refusal ? error.cause : error;
}
