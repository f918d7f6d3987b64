import { resellerIdOf, type SessionUser } from "../accounts/schema.ts";
import { gameNameOf } from "../catalogue/model.ts";
import { msPerDay } from "../core/clock.ts";
import { foldedKeyText, normalKeyText } from "../core/key-text.ts";
import { totalsDay } from "../core/key-time.ts";
import { foldedText } from "../core/text.ts";
import { raw } from "../db/append-only.ts";
import { listed, part, type Sql, type SqlPart, type Unit } from "../db/contract.ts";
import { hasStatus, isOpen, type KeyRow, lookAlikeText } from "./model.ts";
import type { KeyPause } from "./schema.ts";

export interface NewKey {
  keyString: string;
  gameId: number;
  deviceLimit: number;
  createdAt: number;
  expiresAt: number;
  isFirstUse: number;
  startedAt: number | null;
  durationHours: number | null;
  /** Null for an admin key, which has no owner. */
  resellerId: number | null;
  createdBy: number;
  orderId: number | null;
}

/** A reseller's keys, the admin keys, or all keys. */
export type Owner = { resellerId: number } | "admins" | "anyone";

/** The number of devices connected to `license_keys AS k`. */
export const deviceCount = part`(SELECT count(*) FROM key_devices c WHERE c.key_id = k.id)`;

/** Whether any device is connected to `license_keys AS k`. */
export const isConnected = part`EXISTS (SELECT 1 FROM key_devices c WHERE c.key_id = k.id)`;

export const keyColumns = part`k.id, k.key_string AS "keyString", ${gameNameOf(part`k.game_id`)} AS game, k.device_limit AS "deviceLimit",
  ${deviceCount} AS "deviceCount", k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.is_first_use AS "isFirstUse", k.started_at AS "startedAt", k.duration_hours AS "durationHours", k.paused_at AS "pausedAt",
  k.revoked_at AS "revokedAt", k.replaced_by AS "replacedBy", k.order_id AS "orderId", k.note`;

/** Returns the new key's id, or null if its normal form is taken. The caller counts a batch with `countMade`. */
export async function insertKey(sql: Sql, key: NewKey): Promise<number | null> {
  const folded = foldedKeyText(key.keyString);
  const [row] = await sql<{ id: number }>`
    INSERT INTO license_keys (key_string, normal_form, text_folded, look_alike, game_id, device_limit, created_at,
      expires_at, is_first_use, started_at, duration_hours, reseller_id, created_by, order_id)
    VALUES (${key.keyString}, ${normalKeyText(key.keyString)}, ${folded}, ${lookAlikeText(folded)}, ${key.gameId}, ${key.deviceLimit}, ${key.createdAt},
      ${key.expiresAt}, ${key.isFirstUse}, ${key.startedAt}, ${key.durationHours}, ${key.resellerId}, ${key.createdBy}, ${key.orderId})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

/** Adds keys of one batch, which share game and expiry, to the totals of their owner. */
export async function countMade(
  sql: Sql,
  { resellerId, gameId, expiresAt }: Pick<NewKey, "resellerId" | "gameId" | "expiresAt">,
  count: number,
): Promise<void> {
  await sql`
    INSERT INTO key_totals (owner, game_id, expiry_day, made_count)
    VALUES (${resellerId ?? 0}, ${gameId}, ${Math.floor(expiresAt / msPerDay)}, ${count})
    ON CONFLICT (owner, game_id, expiry_day) DO UPDATE SET made_count = key_totals.made_count + excluded.made_count`;
  if (resellerId !== null) await sql`UPDATE resellers SET key_count = key_count + ${count} WHERE id = ${resellerId}`;
}

export async function isKeyTaken(sql: Sql, keyString: string): Promise<boolean> {
  return (await sql`SELECT 1 FROM license_keys WHERE normal_form = ${normalKeyText(keyString)}`).length > 0;
}

export async function keyOf(sql: Sql, owner: Owner, id: number): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow>`SELECT ${keyColumns} FROM license_keys k WHERE k.id = ${id} AND ${ownedBy(owner)}`;
  return row ?? null;
}

/** How many of a reseller's ACTIVE keys expire before `until`; at most `countMax`. */
export async function countExpiring(
  sql: Sql,
  resellerId: number,
  { at, until, countMax }: { at: number; until: number; countMax: number },
): Promise<number> {
  const rows = await sql`
    SELECT 1 FROM license_keys k
    WHERE k.reseller_id = ${resellerId} AND ${hasStatus("ACTIVE", at)} AND k.expires_at < ${until} LIMIT ${countMax}`;
  return rows.length;
}

export interface KeyMakers {
  createdBy: string;
  ownerId: number | null;
  owner: string | null;
  revokedBy: string | null;
}

/** Who made, owns and revoked a key. */
export async function makersOf(sql: Sql, id: number): Promise<KeyMakers> {
  const [row] = await sql<KeyMakers>`
    SELECT maker.username AS "createdBy", k.reseller_id AS "ownerId", owner.username AS owner, revoker.username AS "revokedBy"
    FROM license_keys k JOIN accounts maker ON maker.id = k.created_by
      LEFT JOIN accounts owner ON owner.id = k.reseller_id LEFT JOIN accounts revoker ON revoker.id = k.revoked_by
    WHERE k.id = ${id}`;
  return row as KeyMakers;
}

/** Whose pause runs, and what resellers read of the intervention that made it. Only a reseller's pause has an end. */
export async function pauseFactsOf(sql: Sql, id: number): Promise<KeyPause> {
  const [row] = await sql<KeyPause>`
    SELECT CASE WHEN k.pause_ends_at IS NULL THEN 'admin' ELSE 'reseller' END AS "pausedBy",
      i.reseller_note AS "pauseNote"
    FROM license_keys k LEFT JOIN interventions i ON i.id = k.paused_in_id
    WHERE k.id = ${id} AND k.revoked_at IS NULL AND k.paused_at IS NOT NULL`;
  return row ?? { pausedBy: null, pauseNote: null };
}

export interface KeyRevocation {
  owner: Owner;
  revokedBy: number;
  at: number;
  evenExpired: boolean;
}

/** Keys that a reseller may revoke, or with `evenExpired` an admin. */
export function isRevocable({ evenExpired, at }: Pick<KeyRevocation, "evenExpired" | "at">): SqlPart {
  return evenExpired ? part`k.revoked_at IS NULL` : isOpen(at);
}

/** Revokes a key that is not revoked and, without `evenExpired`, has not expired. Returns whether it did. */
export async function revokeKey(
  unit: Unit,
  id: number,
  { owner, revokedBy, at, evenExpired }: KeyRevocation,
): Promise<boolean> {
  const rows = await unit.sql`
    UPDATE license_keys AS k SET revoked_at = ${at}, revoked_by = ${revokedBy}, pause_ends_at = NULL
    WHERE k.id = ${id} AND ${isRevocable({ evenExpired, at })} AND ${ownedBy(owner)} RETURNING id`;
  if (rows.length === 0) return false;
  unit.keyChanged(id);
  await countRevoked(unit.sql, id);
  return true;
}

/** The same for several, each by itself. Returns those that were revoked. */
export async function revokeKeys(unit: Unit, ids: readonly number[], revocation: KeyRevocation): Promise<number[]> {
  const revoked: number[] = [];
  for (const id of ids) if (await revokeKey(unit, id, revocation)) revoked.push(id);
  return revoked;
}

/** Counts the ACTIVE and PAUSED keys of an order on which no device is connected. */
export async function countUnused(sql: Sql, orderId: number, at: number): Promise<number> {
  const [row] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM license_keys k WHERE ${isUnusedOf(orderId, at)}`;
  return row?.count ?? 0;
}

/**
 * Revokes them and returns their ids. A device that connects at the same time either keeps its key or is refused: the condition is part of
 * the UPDATE.
 */
export async function revokeUnused(
  unit: Unit,
  { orderId, revokedBy, at }: { orderId: number; revokedBy: number; at: number },
): Promise<number[]> {
  const revoked = await unit.sql<{ id: number }>`
    UPDATE license_keys AS k SET revoked_at = ${at}, revoked_by = ${revokedBy}, pause_ends_at = NULL
    WHERE ${isUnusedOf(orderId, at)} RETURNING id`;
  for (const { id } of revoked) {
    unit.keyChanged(id);
    await countRevoked(unit.sql, id);
  }
  return revoked.map(({ id }) => id);
}

function isUnusedOf(orderId: number, at: number): SqlPart {
  return part`k.order_id = ${orderId} AND NOT ${isConnected} AND ${isOpen(at)}`;
}

/** Adds a revoked key to the totals. */
export async function countRevoked(sql: Sql, id: number): Promise<void> {
  await sql`
    UPDATE key_totals SET revoked_count = revoked_count + 1 WHERE (owner, game_id, expiry_day) =
      (SELECT coalesce(k.reseller_id, 0), k.game_id, ${raw(totalsDay)} FROM license_keys k WHERE k.id = ${id})`;
}

export async function changeDeviceLimit(unit: Unit, id: number, deviceLimit: number): Promise<void> {
  await unit.sql`UPDATE license_keys SET device_limit = ${deviceLimit} WHERE id = ${id}`;
  unit.keyChanged(id);
}

/**
 * Counts what a reseller did to a key since then without paying: each paid call has an entry in the ledger. Revocations
 * and notes do not count, and the devices that one call removes count once.
 */
export async function countFreeCalls(
  sql: Sql,
  { keyId, resellerId, since }: { keyId: number; resellerId: number; since: number },
): Promise<number> {
  const [row] = await sql<{ count: number }>`
    SELECT (
      SELECT count(DISTINCT CASE WHEN e.what = 'DEVICE_REMOVED' THEN -e.created_at ELSE e.id END) FROM key_events e
      WHERE e.key_id = ${keyId} AND e.what IN ('EXTENDED', 'LIMIT_CHANGED', 'PAUSED', 'RESUMED', 'DEVICE_REMOVED')
        AND e.created_at >= ${since} AND e.made_by IN (
          SELECT CAST(${resellerId} AS BIGINT) UNION ALL SELECT f.id FROM staff f WHERE f.owner_id = ${resellerId})) - (
      SELECT count(*) FROM credit_ledger l
      WHERE l.key_id = ${keyId} AND l.created_at >= ${since} AND l.reason IN ('key_extension', 'device_limit_change')) AS count`;
  return row?.count ?? 0;
}

export interface KeyNote {
  owner: Owner;
  note: string | null;
  madeBy: number;
  at: number;
}

/** The notes of a key that its history keeps (rules.md: History of a key). */
const notesKept = 200;

/** Notes from before there was a bound are erased so many at a time. */
const notesErasedAtOnce = 1_000;

/** Sets the note of keys and adds that to their history, which keeps the newest. Returns how many changed. */
export async function noteKeys(
  unit: Unit,
  ids: readonly number[],
  { owner, note, madeBy, at }: KeyNote,
): Promise<number> {
  const noted = await unit.sql<{ id: number }>`
    UPDATE license_keys AS k SET note = ${note}, note_folded = ${note && foldedText(note)}
    WHERE k.id IN (${listed(ids)}) AND ${ownedBy(owner)} AND k.note IS DISTINCT FROM ${note} RETURNING id`;
  if (noted.length === 0) return 0;
  for (const { id } of noted) unit.keyChanged(id);
  const changed = listed(noted.map(({ id }) => id));
  await unit.sql`
    INSERT INTO key_events (key_id, what, made_by, created_at)
    SELECT k.id, 'NOTED', ${madeBy}, ${at} FROM license_keys k WHERE k.id IN (${changed})`;
  const full = await unit.sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE k.id IN (${changed}) AND (
      SELECT e.id FROM key_events e WHERE e.key_id = k.id AND e.what = 'NOTED'
      ORDER BY e.id DESC LIMIT 1 OFFSET ${notesKept}) IS NOT NULL`;
  for (const { id } of full) {
    await unit.sql`
      DELETE FROM key_events WHERE id IN (
        SELECT e.id FROM key_events e WHERE e.key_id = ${id} AND e.what = 'NOTED'
        ORDER BY e.id DESC LIMIT ${notesErasedAtOnce} OFFSET ${notesKept})`;
  }
  return noted.length;
}

/** The first keys of an order, in the order in which they were made. Only an import may have very many. */
export async function keysOfOrder(sql: Sql, orderId: number, rowsMax: number): Promise<KeyRow[]> {
  return sql<KeyRow>`
    SELECT ${keyColumns} FROM license_keys k WHERE k.order_id = ${orderId} ORDER BY k.id LIMIT ${rowsMax}`;
}

/** Whether any of these keys is of an import that has been undone. */
export async function isAnyUndone(sql: Sql, ids: readonly number[]): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM license_keys k JOIN orders o ON o.id = k.order_id
    WHERE k.id IN (${listed(ids)}) AND o.undone_at IS NOT NULL LIMIT 1`;
  return rows.length > 0;
}

/** Whose keys a caller sees and changes: resellers and their staff only the reseller's, admins all. */
export function ownerFor(caller: SessionUser): { resellerId: number } | "anyone" {
  return caller.role === "admin" ? "anyone" : { resellerId: resellerIdOf(caller) };
}

/** A condition on `license_keys AS k`. */
export function ownedBy(owner: Owner): SqlPart {
  if (owner === "anyone") return part`1 = 1`;
  return owner === "admins" ? part`k.reseller_id IS NULL` : part`k.reseller_id = ${owner.resellerId}`;
}
