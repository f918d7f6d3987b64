import { Refusal } from "../core/refusal.ts";
import type { Unit } from "../db/contract.ts";
import { apiKeyExpiry } from "./api-keys/api-key-store.ts";
import type { SessionUser } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import { isOpen } from "./store.ts";

/** A person: an account that is signed in, and its session. */
export interface Viewer extends SessionUser {
  sessionId: number;
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

/** A person has every scope. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return !isProgram(principal) || principal.apiKey.scopes.includes(scope);
}

/**
 * Checks in a transaction that a principal is still allowed to act. It was when the request came, but a session may have
 * ended since (a logout, a suspension, a new password) or an API key been deleted, and once that was acknowledged,
 * nothing of an older request is accepted. Throws `NOT_SIGNED_IN`, `API_KEY_UNKNOWN` or `API_KEY_EXPIRED`.
 */
export async function refuseIfEnded(
  principal: Principal,
  { sql, forShare }: Pick<Unit, "sql" | "forShare">,
  at: number,
): Promise<void> {
  if (!isProgram(principal)) {
    if (!(await isOpen(sql, principal.sessionId, forShare))) throw notSignedIn();
    return;
  }
  const row = await apiKeyExpiry(sql, principal.apiKey.id, forShare);
  if (!row) throw apiKeyUnknown();
  if (row.expiresAt !== null && row.expiresAt <= at) throw apiKeyExpired();
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
