import type { Database, Sql } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import type { SessionUser } from "./schema.ts";

/** Who makes a call, and by which session. */
export interface Caller extends SessionUser {
  sessionId: string;
}

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
    const live = await sql`SELECT 1 FROM sessions WHERE id = ${caller.sessionId}`;
    if (live.length === 0) throw notSignedIn();
    return work(sql);
  });
}
