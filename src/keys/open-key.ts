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

/** The reseller whose key it is; null for an admin key. */
export async function namedOwnerOf(sql: Sql, keyId: number): Promise<{ id: number; username: string } | null> {
  const { ownerId, owner } = await makersOf(sql, keyId);
  return ownerId === null || owner === null ? null : { id: ownerId, username: owner };
}
