import type { Game } from "../catalogue/catalogue.ts";
import { foldedText } from "../core/text.ts";
import { listOf, part, type Sql, type Unit } from "../db/contract.ts";
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

export type FindKey = (text: string, deviceId: string) => Promise<VerifiableKey | null>;

/** The key with this normal form, seen from this device, in one statement. */
export function findKey(sql: Sql, text: string, deviceId: string): Promise<VerifiableKey | null> {
  return sql<KeyRow>`
    SELECT k.id, k.game, k.reseller_id AS "resellerId", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
      k.device_limit AS "deviceLimit", (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id) AS "deviceCount",
      (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id AND d.device_id = ${deviceId}) AS "isConnected"
    FROM license_keys k WHERE lower(k.key_string) = ${text}`.then(([row]) => (row ? keyOf(row) : null));
}

interface Wanted {
  text: string;
  deviceId: string;
  resolve(key: VerifiableKey | null): void;
  reject(error: unknown): void;
}

/** Each number of keys is another prepared statement. */
const keysAtOnceMax = 16;

/**
 * Finds the keys of all calls in one turn of the event loop with few statements. A statement that crosses a network
 * costs much more than what it reads.
 */
export function createBatchedFind(sql: Sql): FindKey {
  let wanted: Wanted[] = [];

  return (text, deviceId) =>
    new Promise((resolve, reject) => {
      if (wanted.length === 0) setImmediate(findAll);
      wanted.push({ text, deviceId, resolve, reject });
    });

  function findAll(): void {
    const all = wanted;
    wanted = [];
    for (let from = 0; from < all.length; from += keysAtOnceMax) findSome(all.slice(from, from + keysAtOnceMax));
  }

  async function findSome(some: Wanted[]): Promise<void> {
    const values = some.map(({ text, deviceId }, place) => part`(${place}, ${text}, ${deviceId})`);
    try {
      const rows = await sql<KeyRow & { place: number }>`
        WITH wanted (place, text, device_id) AS (VALUES ${listOf(values)})
        SELECT w.place, k.id, k.game, k.reseller_id AS "resellerId", k.expires_at AS "expiresAt",
          k.revoked_at AS "revokedAt", k.device_limit AS "deviceLimit",
          (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id) AS "deviceCount",
          (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id AND d.device_id = w.device_id) AS "isConnected"
        FROM wanted w JOIN license_keys k ON lower(k.key_string) = w.text`;
      const found = new Map(rows.map(({ place, ...row }) => [place, keyOf(row)]));
      some.forEach(({ resolve }, place) => {
        resolve(found.get(place) ?? null);
      });
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
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
