import type { Game } from "../catalogue/catalogue.ts";
import { foldedText } from "../core/text.ts";
import type { Sql, Unit } from "../db/contract.ts";
import type { VerifiableKey } from "./verdict.ts";

interface KeyRow {
  id: number;
  game: Game;
  resellerId: number | null;
  expiresAt: number;
  revokedAt: number | null;
  deviceLimit: number;
  deviceCount: number;
  isConnected: number;
}

/** The key with this normal form, seen from this device, in one statement. */
export function findKey(sql: Sql, text: string, deviceId: string): Promise<VerifiableKey | null> {
  return sql<KeyRow>`
    SELECT k.id, k.game, k.reseller_id AS "resellerId", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
      k.device_limit AS "deviceLimit", (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id) AS "deviceCount",
      (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id AND d.device_id = ${deviceId}) AS "isConnected"
    FROM license_keys k WHERE lower(k.key_string) = ${text}`.then(([row]) => (row ? keyOf(row) : null));
}

function keyOf({ revokedAt, isConnected, ...key }: KeyRow): VerifiableKey {
  return { ...key, isRevoked: revokedAt !== null, isConnected: isConnected === 1 };
}

/**
 * Gives the device a slot, if the key is still good and has one, and returns whether it did. The key may have been
 * revoked or filled since it was read, so the statement decides again. A device that is already connected takes no
 * second slot.
 */
export async function connectDevice(
  unit: Unit,
  { keyId, deviceId, at }: { keyId: number; deviceId: string; at: number },
): Promise<boolean> {
  const connected = await unit.sql`
    INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at)
    SELECT k.id, ${deviceId}, ${foldedText(deviceId)}, ${at} FROM license_keys k
    WHERE k.id = ${keyId} AND k.revoked_at IS NULL AND k.expires_at > ${at}
      AND (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id) < k.device_limit
    ON CONFLICT DO NOTHING RETURNING id`;
  if (connected.length > 0) unit.keyChanged(keyId);
  return connected.length > 0;
}
