import type { Database, Sql } from "../database/database.ts";
import type { Origin } from "../http/peer.ts";
import { Refusal } from "../refusal.ts";
import type { SessionUser } from "./schema.ts";
import { isOpen } from "./session-store.ts";

/** Who is signed in, and by which session. */
export interface Viewer extends SessionUser {
  sessionId: number;
}

/** Who makes a call that not everybody may make. */
export interface Caller extends Viewer, Origin {}

export function notSignedIn(): Refusal {
  return new Refusal("NOT_SIGNED_IN", "Please sign in first.");
}

/**
 * A transaction on behalf of a caller. Access was checked when the request came, but the session may have ended since
 * (a logout, a suspension, a new password): once that was acknowledged, nothing of an older request is accepted.
 */
export function transactionOf<Result>(
  database: Database,
  caller: Caller,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (sql) => {
    if (!(await isOpen(sql, caller.sessionId))) throw notSignedIn();
    return work(sql);
  });
}
