import { part, type SqlPart } from "../db/contract.ts";
import type { KeyStatus } from "./schema.ts";

/**
 * What a key's status is at an instant (rules.md: Key status). It is derived and never stored: revoking wins over expiring, and a key has
 * expired from its very expiry on. Said once for a row, and once in SQL for those that filter and count.
 */
export function statusOf(key: { revokedAt: number | null; expiresAt: number }, at: number): KeyStatus {
  if (key.revokedAt !== null) return "REVOKED";
  return key.expiresAt <= at ? "EXPIRED" : "ACTIVE";
}

/** The same rule as a condition on `license_keys AS k`. */
export function hasStatus(status: KeyStatus, at: number): SqlPart {
  if (status === "REVOKED") return part`k.revoked_at IS NOT NULL`;
  if (status === "EXPIRED") return part`k.revoked_at IS NULL AND k.expires_at <= ${at}`;
  return part`k.revoked_at IS NULL AND k.expires_at > ${at}`;
}

/** What it was at an instant that has passed: whatever was revoked since was not revoked then. */
export function hadStatus(status: KeyStatus, at: number): SqlPart {
  if (status === "REVOKED") return part`k.revoked_at <= ${at}`;
  const open = part`(k.revoked_at IS NULL OR k.revoked_at > ${at})`;
  return status === "EXPIRED" ? part`${open} AND k.expires_at <= ${at}` : part`${open} AND k.expires_at > ${at}`;
}
