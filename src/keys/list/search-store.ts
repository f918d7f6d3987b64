import { foldedText } from "../../core/text.ts";
import { containing, listed, part, type Sql, type SqlPart } from "../../db/contract.ts";
import type { KeyRow } from "../model.ts";
import { keyColumns, type Owner, ownedBy } from "../store.ts";
import { type KeySearch, notePart, textPart } from "./list-store.ts";

/** A key that was found and its reseller's username, which is null for an admin key. */
export interface FoundKeyRow extends KeyRow {
  owner: string | null;
}

/** In the order of these ids. */
export async function foundKeys(sql: Sql, ids: readonly number[]): Promise<FoundKeyRow[]> {
  const rows = await sql<FoundKeyRow>`
    SELECT ${keyColumns}, a.username AS owner
    FROM license_keys k LEFT JOIN accounts a ON a.id = k.reseller_id WHERE k.id IN (${listed(ids)})`;
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Keys whose text contains this one, the latest first. Finding them reads only an index, not the rows. */
export async function keysWithText(
  sql: Sql,
  owner: Owner,
  search: KeySearch,
  rowsMax: number,
): Promise<{ id: number; keyString: string }[]> {
  return sql`
    WITH found AS MATERIALIZED (
      SELECT k.id FROM license_keys k WHERE ${ownedBy(owner)} AND ${textPart(search)}
      ORDER BY k.id DESC LIMIT ${rowsMax})
    SELECT k.id, k.key_string AS "keyString" FROM found JOIN license_keys k ON k.id = found.id ORDER BY k.id DESC`;
}

/** Keys with a connected device whose id contains this text, the latest device first. A key may appear twice. */
export async function keysWithDevice(sql: Sql, owner: Owner, text: string, devicesMax: number): Promise<number[]> {
  const devices =
    owner === "anyone"
      ? part`key_devices d WHERE ${devicePart(text)}`
      : part`license_keys k JOIN key_devices d ON d.key_id = k.id WHERE ${ownedBy(owner)} AND ${devicePart(text)}`;
  const rows = await sql<{ keyId: number }>`
    WITH found AS MATERIALIZED (SELECT d.id FROM ${devices} ORDER BY d.id DESC LIMIT ${devicesMax})
    SELECT d.key_id AS "keyId" FROM found JOIN key_devices d ON d.id = found.id ORDER BY d.id DESC`;
  return rows.map(({ keyId }) => keyId);
}

function devicePart(text: string): SqlPart {
  return part`d.device_folded LIKE ${containing(foldedText(text))} ESCAPE '\\'`;
}

/** Keys whose note contains this text, the latest first. */
export async function keysNoted(sql: Sql, owner: Owner, text: string, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE ${ownedBy(owner)} AND ${notePart({ text })}
    ORDER BY k.id DESC LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** A reseller's newest keys. */
export async function newestKeysOf(sql: Sql, resellerId: number, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE k.reseller_id = ${resellerId} ORDER BY k.created_at DESC, k.id DESC LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}
