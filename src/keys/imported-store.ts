import { dayOf } from "../core/clock.ts";
import { foldedKeyText, normalKeyText } from "../core/key-text.ts";
import { totalsDay } from "../core/key-time.ts";
import { foldedText } from "../core/text.ts";
import { raw } from "../db/append-only.ts";
import { inFewSizes, listed, listOf, part, type Sql, type SqlPart, type Unit } from "../db/contract.ts";
import { lookAlikeText } from "./model.ts";
import type { NewKey } from "./store.ts";

/** A key that comes with its history. */
export interface ImportedKeyRow extends NewKey {
  orderId: number;
  pausedAt: number | null;
  revokedAt: number | null;
  note: string | null;
  devices: string[];
}

/** Those of these normal forms that are keys already, each with the import that it came from, if any. */
export async function takenForms(sql: Sql, forms: string[]): Promise<Map<string, number | null>> {
  const rows = await sql<{ form: string; importId: number | null }>`
    SELECT k.normal_form AS form, o.import_id AS "importId" FROM license_keys k LEFT JOIN orders o ON o.id = k.order_id
    WHERE k.normal_form IN (${listed(forms)})`;
  return new Map(rows.map(({ form, importId }) => [form, importId]));
}

/**
 * Inserts keys whose normal forms are free, and counts them. A pause is an admin's; devices count as connected at
 * `at`, and blocked ones are left out.
 */
export async function insertImported(unit: Unit, keys: ImportedKeyRow[], at: number): Promise<void> {
  const ids = new Map<string, number>();
  for (const some of inFewSizes(keys)) {
    const rows = await unit.sql<{ id: number; form: string }>`
      INSERT INTO license_keys (key_string, normal_form, text_folded, look_alike, game_id, device_limit, created_at,
        expires_at, is_first_use, started_at, duration_hours, reseller_id, created_by, order_id, paused_at, revoked_at,
        revoked_by, note, note_folded)
      VALUES ${listOf(some.map(keyValues))} RETURNING id, normal_form AS form`;
    for (const { id, form } of rows) ids.set(form, id);
  }
  const devices = keys.flatMap((key) => {
    const keyId = ids.get(normalKeyText(key.keyString)) as number;
    return key.devices.map((deviceId) => ({ keyId, deviceId }));
  });
  for (const some of inFewSizes(devices)) {
    await unit.sql`
      WITH devices (place, key_id, device_id, device_folded, at, day) AS (
        VALUES ${listOf(some.map((device, place) => deviceValues({ ...device, place, at })))})
      INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at, last_seen_day, is_imported)
      SELECT d.key_id, d.device_id, d.device_folded, d.at, d.day, 1
      FROM devices d JOIN license_keys k ON k.id = d.key_id
      WHERE NOT EXISTS (SELECT 1 FROM blocked_devices b WHERE b.device_id = d.device_id AND b.owner IN (0, k.reseller_id))
      ORDER BY d.place`;
  }
  const inserted = part`k.id IN (${listed([...ids.values()])})`;
  if (keys.some(({ pausedAt }) => pausedAt !== null)) {
    // How long a device was unseen is counted without the days of a pause, which begins with this event.
    await unit.sql`
      INSERT INTO key_events (key_id, what, made_by, created_at)
      SELECT k.id, 'PAUSED', k.created_by, k.paused_at FROM license_keys k
      WHERE ${inserted} AND k.paused_at IS NOT NULL ORDER BY k.id`;
  }
  await unit.sql`
    INSERT INTO key_totals (owner, game_id, expiry_day, made_count, revoked_count) ${countsOf(inserted)}
    ON CONFLICT (owner, game_id, expiry_day) DO UPDATE SET made_count = key_totals.made_count + excluded.made_count,
      revoked_count = key_totals.revoked_count + excluded.revoked_count`;
  await changeOwners(unit.sql, inserted, 1);
  for (const id of ids.values()) unit.keyChanged(id);
}

/** The first keys of an import, order by order. */
export async function keysOfImport(sql: Sql, importId: number, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM orders o JOIN license_keys k ON k.order_id = o.id
    WHERE o.import_id = ${importId} ORDER BY o.id, k.id LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** The next keys of an order. */
export async function nextKeysOf(sql: Sql, orderId: number, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE k.order_id = ${orderId} LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** Deletes keys, with everything about them, as if they had never been. Only the undo of an import does that. */
export async function deleteKeys(unit: Unit, ids: readonly number[]): Promise<void> {
  const list = listed(ids);
  await changeOwners(unit.sql, part`k.id IN (${list})`, -1);
  await unit.sql`
    UPDATE key_totals AS t SET made_count = t.made_count - c.made, revoked_count = t.revoked_count - c.revoked
    FROM (${countsOf(part`k.id IN (${list})`)}) AS c
    WHERE t.owner = c.owner AND t.game_id = c.game_id AND t.expiry_day = c.expiry_day`;
  await unit.sql`DELETE FROM key_devices WHERE key_id IN (${list})`;
  await unit.sql`DELETE FROM key_events WHERE key_id IN (${list})`;
  await unit.sql`DELETE FROM named_extensions WHERE key_id IN (${list})`;
  await unit.sql`DELETE FROM refused_devices WHERE key_id IN (${list})`;
  await unit.sql`DELETE FROM key_refusals WHERE key_id IN (${list})`;
  await unit.sql`DELETE FROM license_keys WHERE id IN (${list})`;
  for (const id of ids) unit.keyChanged(id);
}

/** Adds these keys to those of their resellers, or takes them off. */
async function changeOwners(sql: Sql, keys: SqlPart, sign: 1 | -1): Promise<void> {
  await sql`
    UPDATE resellers AS r SET key_count = r.key_count + ${sign} * c.count
    FROM (SELECT k.reseller_id, count(*) AS count FROM license_keys k WHERE ${keys} GROUP BY 1) AS c
    WHERE r.id = c.reseller_id`;
}

/** How these keys count in the totals. */
function countsOf(keys: SqlPart): SqlPart {
  return part`
    SELECT coalesce(k.reseller_id, 0) AS owner, k.game_id, ${raw(totalsDay)} AS expiry_day, count(*) AS made,
      count(k.revoked_at) AS revoked
    FROM license_keys k WHERE ${keys} GROUP BY 1, 2, 3`;
}

function keyValues(key: ImportedKeyRow): SqlPart {
  const folded = foldedKeyText(key.keyString);
  const { revokedAt, note } = key;
  return part`(${key.keyString}, ${normalKeyText(key.keyString)}, ${folded}, ${lookAlikeText(folded)}, ${key.gameId},
    ${key.deviceLimit}, ${key.createdAt}, ${key.expiresAt}, ${key.isFirstUse}, ${key.startedAt}, ${key.durationHours},
    ${key.resellerId}, ${key.createdBy}, ${key.orderId}, ${key.pausedAt}, ${revokedAt},
    ${revokedAt === null ? null : key.createdBy}, ${note}, ${note && foldedText(note)})`;
}

function deviceValues({ place, keyId, deviceId, at }: { place: number; keyId: number; deviceId: string; at: number }) {
  return part`(CAST(${place} AS BIGINT), CAST(${keyId} AS BIGINT), ${deviceId}, ${foldedText(deviceId)}, CAST(${at} AS BIGINT), CAST(${dayOf(at)} AS BIGINT))`;
}
