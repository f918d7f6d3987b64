import { containing, inSmallLetters, type Sql } from "../../db/contract.ts";
import type { KeyRow } from "../model.ts";
import { keyColumns, type Owner, ownedBy } from "../store.ts";

/** A text that keys are found by: a key's own, or a device's. `owner` is 0 for the admins'. */
export interface SearchedText {
  id: number;
  owner: number;
  text: string;
}

export interface KeyTexts extends SearchedText {
  note: string | null;
}

/** Keys are never erased, and their texts never change: so those after the last that is known are all that is new. */
export async function keyTextsAfter(sql: Sql, id: number, rowsMax: number): Promise<KeyTexts[]> {
  return sql<KeyTexts>`
    SELECT id, coalesce(reseller_id, 0) AS owner, key_string AS text, note FROM license_keys WHERE id > ${id} ORDER BY id LIMIT ${rowsMax}`;
}

/** The latest event of any key; 0 where there is none. */
export async function lastKeyEventId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number | null }>`SELECT max(id) AS id FROM key_events`;
  return row?.id ?? 0;
}

/** Notes as they are now, of keys that were noted after an event: each change of a note is one. */
export async function notesSince(
  sql: Sql,
  eventId: number,
  rowsMax: number,
): Promise<{ eventId: number; id: number; owner: number; note: string | null }[]> {
  return sql`
    SELECT e.id AS "eventId", k.id, coalesce(k.reseller_id, 0) AS owner, k.note
    FROM key_events e JOIN license_keys k ON k.id = e.key_id
    WHERE e.id > ${eventId} AND e.what = 'NOTED' ORDER BY e.id LIMIT ${rowsMax}`;
}

/** Connected devices. Those that go are not told; `keyOfDevice` no longer finds them. */
export async function deviceTextsAfter(sql: Sql, id: number, rowsMax: number): Promise<SearchedText[]> {
  return sql<SearchedText>`
    SELECT d.id, coalesce(k.reseller_id, 0) AS owner, d.device_id AS text
    FROM key_devices d JOIN license_keys k ON k.id = d.key_id WHERE d.id > ${id} ORDER BY d.id LIMIT ${rowsMax}`;
}

/** A key that was found, and whose it is; `null` for an admin key. */
export interface FoundKeyRow extends KeyRow {
  owner: string | null;
}

export async function foundKey(sql: Sql, id: number): Promise<FoundKeyRow | null> {
  const [row] = await sql<FoundKeyRow>`
    SELECT ${keyColumns}, a.username AS owner
    FROM license_keys k LEFT JOIN accounts a ON a.id = k.reseller_id WHERE k.id = ${id}`;
  return row ?? null;
}

export async function keyOfDevice(sql: Sql, deviceRowId: number): Promise<number | null> {
  const [row] = await sql<{ keyId: number }>`SELECT key_id AS "keyId" FROM key_devices WHERE id = ${deviceRowId}`;
  return row?.keyId ?? null;
}

/** Keys with this text in their note, the latest first. */
export async function keysNoted(sql: Sql, owner: Owner, text: string, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k
    WHERE k.note IS NOT NULL AND lower(k.note) LIKE ${containing(inSmallLetters(text))} ESCAPE '\\' AND ${ownedBy(owner)}
    ORDER BY k.id DESC LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** A reseller's newest keys. */
export async function newestKeysOf(sql: Sql, resellerId: number, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE k.reseller_id = ${resellerId} ORDER BY k.created_at DESC, k.id DESC LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}
