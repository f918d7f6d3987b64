import { Refusal } from "../core/refusal.ts";
import type { Origin } from "../http/request.ts";
import type { SessionUser } from "./schema.ts";

/** An account that is signed in, and its session. */
export interface Viewer extends SessionUser {
  sessionId: number;
}

/** The account that makes a call which needs a sign-in. */
export interface Caller extends Viewer, Origin {}

export function notSignedIn(): Refusal {
  return new Refusal("NOT_SIGNED_IN", "Please sign in first.");
}
