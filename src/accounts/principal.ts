import { Refusal } from "../core/refusal.ts";
import type { Unit } from "../db/contract.ts";
import type { SessionUser } from "./schema.ts";
import { isOpen } from "./store.ts";

/** A person: an account that is signed in, and its session. */
export interface Viewer extends SessionUser {
  sessionId: number;
}

/** An account, and how it authenticated. */
export type Principal = Viewer;

/**
 * Checks in a transaction that a principal is still allowed to act: that was so when the request came, but a session may
 * have ended since (a logout, a suspension, a new password), and once that was acknowledged, nothing of an older request
 * is accepted. Throws `NOT_SIGNED_IN`.
 */
export async function refuseIfEnded({ sessionId }: Principal, { sql, forShare }: Pick<Unit, "sql" | "forShare">) {
  if (!(await isOpen(sql, sessionId, forShare))) throw notSignedIn();
}

export function notSignedIn(): Refusal {
  return new Refusal("NOT_SIGNED_IN", "Please sign in first.");
}
