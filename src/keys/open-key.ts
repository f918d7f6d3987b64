import type { Caller } from "../accounts/audited-changes.ts";
import { Refusal } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import type { KeyRow } from "./model.ts";
import { isAnyUndone, keyOf, makersOf, type Owner } from "./store.ts";

/** Throws `NOT_FOUND`. */
export function found<Row>(row: Row | null): Row {
  if (row === null) throw new Refusal("NOT_FOUND", "There is no such key.");
  return row;
}

/** A key that is to be changed in the caller's transaction. Throws `NOT_FOUND` or `KEY_ALREADY_REVOKED`. */
export async function unrevokedKey(sql: Sql, owner: Owner, id: number): Promise<KeyRow> {
  const key = found(await keyOf(sql, owner, id));
  if (key.revokedAt !== null) throw new Refusal("KEY_ALREADY_REVOKED", "The key is revoked, which cannot be undone.");
  return key;
}

/** Keys that are about to be deleted take no payment. Throws `NOT_FOUND`. */
export async function refuseUndone(sql: Sql, ids: readonly number[]): Promise<void> {
  if (await isAnyUndone(sql, ids)) throw new Refusal("NOT_FOUND", "The import of this key has been undone.");
}

/** The reseller of a key that the caller may change; null for an admin key. */
export async function ownerIdOf(sql: Sql, caller: Caller, keyId: number): Promise<number | null> {
  return caller.role === "reseller" ? caller.id : (await makersOf(sql, keyId)).ownerId;
}
