import { Refusal } from "../core/refusal.ts";
import type { Unit } from "../db/contract.ts";
import { apiKeyExpiry } from "./api-keys/api-key-store.ts";
import type { SessionUser } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import { isOpen, rightsOf } from "./store.ts";

/** A person: an account that is signed in, and its session. */
export interface Viewer extends SessionUser {
  sessionId: number;
  /** A staff account must have one of these to make the call. Left out if it needs none. */
  needs?: readonly Scope[];
}

/** A program: an account, and the API key that the program sent. */
export interface Program extends SessionUser {
  apiKey: {
    id: number;
    name: string;
    scopes: readonly Scope[];
    /** What it may spend on one UTC day, or null for no limit. */
    limitPerDayTenths: number | null;
  };
}

/** An account, and how it authenticated. */
export type Principal = Viewer | Program;

export function isProgram(principal: Principal): principal is Program {
  return "apiKey" in principal;
}

/** A full account has every scope. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  const scopes = isProgram(principal) ? principal.apiKey.scopes : principal.rights;
  return scopes === null || scopes.includes(scope);
}

/**
 * Checks in a transaction that a principal is still allowed to act. It was when the request came, but a session may have
 * ended since (a logout, a suspension, a new password), a right been withdrawn or an API key been deleted, and once that
 * was acknowledged, nothing of an older request is accepted. Throws `NOT_SIGNED_IN`, `RIGHT_MISSING`, `API_KEY_UNKNOWN`
 * or `API_KEY_EXPIRED`.
 */
export async function refuseIfEnded(
  principal: Principal,
  { sql, forShare }: Pick<Unit, "sql" | "forShare">,
  at: number,
): Promise<void> {
  if (!isProgram(principal)) {
    if (!(await isOpen(sql, principal.sessionId, forShare))) throw notSignedIn();
    if (principal.rights && principal.needs)
      refuseWithout(principal.needs, await rightsOf(sql, principal.id, forShare));
    return;
  }
  const row = await apiKeyExpiry(sql, principal.apiKey.id, forShare);
  if (!row) throw apiKeyUnknown();
  if (row.expiresAt !== null && row.expiresAt <= at) throw apiKeyExpired();
}

/** Throws `RIGHT_MISSING` unless a staff account has one of the rights that the call needs. */
export function refuseWithout(needs: readonly Scope[], rights: readonly Scope[]): void {
  if (needs.some((right) => rights.includes(right))) return;
  const [first] = needs;
  const sentence = first ? `Your account needs the right ${first} for this.` : "Only full accounts may do this.";
  throw new Refusal("RIGHT_MISSING", sentence);
}

export function notSignedIn(): Refusal {
  return new Refusal("NOT_SIGNED_IN", "Please sign in first.");
}

export function apiKeyUnknown(): Refusal {
  return new Refusal("API_KEY_UNKNOWN", "There is no such API key.");
}

export function apiKeyExpired(): Refusal {
  return new Refusal("API_KEY_EXPIRED", "This API key has expired.");
}
