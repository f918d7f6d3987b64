import { Refusal } from "../core/refusal.ts";
import type { Unit } from "../db/contract.ts";
import { apiKeyExpiry } from "./api-keys/api-key-store.ts";
import type { SessionUser } from "./schema.ts";
import type { Scope } from "./scopes.ts";
import { isOpen, rightsOf, sellingSecret } from "./store.ts";

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

/** A shop: an account, and the link whose secret signed what the shop sent. */
export interface Shop extends SessionUser {
  /** What its sales may cost on one UTC day is null for no limit. */
  shopLink: { id: number; name: string; sealedSecret: string; limitTenths: number | null };
}

/** An account, and how it authenticated. */
export type Principal = Viewer | Program | Shop;

export function isProgram(principal: Principal): principal is Program {
  return "apiKey" in principal;
}

export function isShop(principal: Principal): principal is Shop {
  return "shopLink" in principal;
}

/** A full account has every scope. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  const scopes = isProgram(principal) ? principal.apiKey.scopes : principal.rights;
  return scopes === null || scopes.includes(scope);
}

/**
 * Checks in a transaction that a principal is still allowed to act. It was when the request came, but a session may have
 * ended since (a logout, a suspension, a new password), a right been withdrawn or an API key been deleted, and once that
 * was acknowledged, nothing of an older request is accepted. Throws `NOT_SIGNED_IN`, `RIGHT_MISSING`, `API_KEY_UNKNOWN`,
 * `API_KEY_EXPIRED`, and of a shop `NOT_FOUND` or `SIGNATURE_WRONG`.
 */
export async function refuseIfEnded(
  principal: Principal,
  { sql, forShare }: Pick<Unit, "sql" | "forShare">,
  at: number,
): Promise<void> {
  if (isShop(principal)) {
    const { id, sealedSecret } = principal.shopLink;
    const present = await sellingSecret(sql, id, forShare);
    if (present === null) throw noShopLink();
    if (present !== sealedSecret) throw new Refusal("SIGNATURE_WRONG", "The secret of the link was replaced.");
    return;
  }
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

export function noShopLink(): Refusal {
  return new Refusal("NOT_FOUND", "There is no such shop link.");
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
