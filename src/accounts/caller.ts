import { Refusal } from "../core/refusal.ts";
import type { Origin } from "../http/request.ts";
import type { SessionUser } from "./schema.ts";

/** Who is signed in, and by which session. */
export interface Viewer extends SessionUser {
  sessionId: number;
}

/** Who makes a call that not everybody may make. */
export interface Caller extends Viewer, Origin {}

export function notSignedIn(): Refusal {
  return new Refusal("NOT_SIGNED_IN", "Please sign in first.");
}
