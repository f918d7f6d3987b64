import { foldedKeyText, normalKeyText } from "../../core/key-text.ts";
import { part, type Sql, type SqlPart, type Unit } from "../../db/contract.ts";
import { removeDevices } from "../devices/device-store.ts";
import { type KeyRow, lookAlikeText } from "../model.ts";
import { countMade, countRevoked } from "../store.ts";

interface Replacement {
  /** As the caller's transaction has read it. */
  key: KeyRow;
  /** The new text, which that transaction found free. */
  keyString: string;
  gameId: number;
  /** The key's owner; null for an admin key. */
  resellerId: number | null;
  madeBy: number;
  at: number;
}

/**
 * Gives a key another text and removes its devices. The old text becomes a revoked key, so that it stays taken and is
 * found by verifications and searches. Returns that key's id.
 */
export async function replaceText(
  unit: Unit,
  { key, keyString, gameId, resellerId, madeBy, at }: Replacement,
): Promise<number> {
  const { sql } = unit;
  const { id, expiresAt } = key;
  await sql`
    UPDATE license_keys SET (key_string, normal_form, text_folded, look_alike) = (${textValues(keyString)})
    WHERE id = ${id}`;
  unit.keyChanged(id);
  await removeDevices(unit, { keyId: id, madeBy, at });
  // The signs of sharing were those of the old text.
  await sql`DELETE FROM refused_devices WHERE key_id = ${id}`;
  const [old] = await sql<{ id: number }>`
    INSERT INTO license_keys (key_string, normal_form, text_folded, look_alike, game_id, device_limit, created_at,
      expires_at, is_first_use, started_at, duration_hours, reseller_id, created_by, revoked_at, revoked_by, replaced_by)
    SELECT ${textValues(key.keyString)}, k.game_id, k.device_limit, k.created_at,
      k.expires_at, k.is_first_use, k.started_at, k.duration_hours, k.reseller_id, k.created_by, ${at}, ${madeBy}, k.id
    FROM license_keys k WHERE k.id = ${id} RETURNING id`;
  const { id: oldId } = old as { id: number };
  await countMade(sql, { resellerId, gameId, expiresAt }, 1);
  await countRevoked(sql, oldId);
  return oldId;
}

function textValues(keyString: string): SqlPart {
  const folded = foldedKeyText(keyString);
  return part`${keyString}, ${normalKeyText(keyString)}, ${folded}, ${lookAlikeText(folded)}`;
}

/** Whether a key was replaced so often since then. */
export async function isReplacedOften(sql: Sql, id: number, { since, times }: { since: number; times: number }) {
  const rows = await sql`
    SELECT 1 FROM license_keys k WHERE k.replaced_by = ${id} AND k.revoked_at > ${since} LIMIT ${times}`;
  return rows.length >= times;
}
