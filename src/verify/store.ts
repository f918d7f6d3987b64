import { dayOf } from "../core/clock.ts";
import { deviceNameIn } from "../core/device-id.ts";
import { foldedText } from "../core/text.ts";
import { listOf, part, type Sql, type SqlArgument, type SqlPart, type Unit } from "../db/contract.ts";
import type { GameConditions, Lookup, VerifiableKey } from "./verdict.ts";

/** The key's columns are null if there is no such key of that game. */
type Row = { gameId: number | null } & (KeyRow | Record<keyof KeyRow, null>);

interface KeyRow extends GameConditions {
  id: number;
  resellerId: number | null;
  expiresAt: number;
  pausedAt: number | null;
  pauseEndsAt: number | null;
  revokedAt: number | null;
  replacedBy: number | null;
  deviceLimit: number;
  deviceCount: number;
  /** Null if the device is not connected. */
  lastSeenDay: number | null;
  deviceName: string | null;
  leaseHours: number;
  isBlocked: number;
}

/** What the database has for a lookup. A key of another game is no key. */
export interface Found {
  isGame: boolean;
  key: VerifiableKey | null;
}

export type FindKey = (lookup: Lookup) => Promise<Found>;

/** The key with this normal form, seen from this device, in one statement. */
export function findKey(sql: Sql, lookup: Lookup): Promise<Found> {
  const { text, game, deviceId } = lookup;
  return sql<Row>`${keysFor(part`(SELECT 1) AS one`, [text, foldedText(game), deviceId])}`.then(([row]) =>
    found(row as Row, lookup),
  );
}

/** One row for each of `wanted`. Only a device that is not connected is looked up among the blocked ones. */
function keysFor(wanted: SqlPart, [text, game, deviceId]: readonly [SqlArgument, SqlArgument, SqlArgument]): SqlPart {
  return part`
    SELECT n.game_id AS "gameId", g.maintenance, g.minimum_version AS "minimumVersion",
      g.update_message AS "updateMessage", g.release_idle_days AS "idleDays", k.id, k.reseller_id AS "resellerId", k.expires_at AS "expiresAt",
      k.paused_at AS "pausedAt", k.pause_ends_at AS "pauseEndsAt", k.revoked_at AS "revokedAt", k.replaced_by AS "replacedBy", k.device_limit AS "deviceLimit",
      (SELECT count(*) FROM key_devices c WHERE c.key_id = k.id) AS "deviceCount",
      d.last_seen_day AS "lastSeenDay", d.name AS "deviceName", g.lease_hours AS "leaseHours",
      CASE WHEN k.id IS NOT NULL AND d.id IS NULL AND ${blockExists(deviceId)} THEN 1 ELSE 0 END AS "isBlocked"
    FROM ${wanted} LEFT JOIN game_names n ON n.name_folded = ${game}
      LEFT JOIN games g ON g.id = n.game_id
      LEFT JOIN license_keys k ON k.normal_form = ${text} AND k.game_id = n.game_id
      LEFT JOIN key_devices d ON d.key_id = k.id AND d.device_id = ${deviceId}`;
}

/**
 * Whether the owner of `license_keys AS k`, or the admins, have blocked the device. For `IN` with both owners SQLite
 * would build a table at each call.
 */
function blockExists(deviceId: SqlArgument): SqlPart {
  return part`(EXISTS (SELECT 1 FROM blocked_devices b WHERE b.device_id = ${deviceId} AND b.owner = 0)
    OR EXISTS (SELECT 1 FROM blocked_devices b WHERE b.device_id = ${deviceId} AND b.owner = k.reseller_id))`;
}

interface Wanted {
  lookup: Lookup;
  resolve(found: Found): void;
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

  return (lookup) =>
    new Promise((resolve, reject) => {
      if (wanted.length === 0) setImmediate(findAll);
      wanted.push({ lookup, resolve, reject });
    });

  function findAll(): void {
    const all = wanted;
    wanted = [];
    for (let from = 0; from < all.length; from += keysAtOnceMax) findSome(all.slice(from, from + keysAtOnceMax));
  }

  async function findSome(some: Wanted[]): Promise<void> {
    const values = some.map(
      ({ lookup: { text, game, deviceId } }, place) => part`(${place}, ${text}, ${foldedText(game)}, ${deviceId})`,
    );
    try {
      const rows = await sql<Row>`
        WITH wanted (place, text, game, device_id) AS (VALUES ${listOf(values)})
        ${keysFor(part`wanted w`, [part`w.text`, part`w.game`, part`w.device_id`])} ORDER BY w.place`;
      some.forEach(({ lookup, resolve }, place) => {
        resolve(found(rows[place] as Row, lookup));
      });
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}

function found(row: Row, lookup: Lookup): Found {
  return { isGame: row.gameId !== null, key: row.id === null ? null : keyOf(row, lookup) };
}

function keyOf(row: KeyRow, lookup: Lookup): VerifiableKey {
  const sentName = deviceNameIn(lookup.deviceName);
  return {
    id: row.id,
    resellerId: row.resellerId,
    game: {
      maintenance: row.maintenance,
      minimumVersion: row.minimumVersion,
      updateMessage: row.updateMessage,
      idleDays: row.idleDays,
    },
    expiresAt: row.expiresAt,
    pauseEndsAt: row.pauseEndsAt,
    isPaused: row.pausedAt !== null,
    isRevoked: row.revokedAt !== null,
    isReplaced: row.replacedBy !== null,
    deviceLimit: row.deviceLimit,
    deviceCount: row.deviceCount,
    isConnected: row.lastSeenDay !== null,
    lastSeenDay: row.lastSeenDay ?? 0,
    isNameKept: sentName === null || sentName === row.deviceName,
    leaseHours: row.leaseHours,
    isBlocked: row.isBlocked === 1,
  };
}

/**
 * Gives the device a slot, if the key is still good and has one. Returns null if it did not, else whether `isHeard`. The
 * key may have been revoked, replaced, paused or filled since it was read by the normal form `text`, the device blocked,
 * or maintenance of its game begun, so the statement decides again. A device that is already connected takes no second
 * slot, and the keys of an undone import take none until they are deleted.
 */
export async function connectDevice(
  unit: Unit,
  {
    keyId,
    text,
    deviceId,
    deviceName = null,
    at,
  }: { keyId: number; text: string; deviceId: string; deviceName?: string | null; at: number },
  isHeard: SqlPart = part`0`,
): Promise<{ isHeard: boolean } | null> {
  const [connected] = await unit.sql<{ isHeard: number }>`
    INSERT INTO key_devices (key_id, device_id, device_folded, name, first_connected_at, last_seen_day)
    SELECT k.id, ${deviceId}, ${foldedText(deviceId)}, ${deviceNameIn(deviceName)}, ${at}, ${dayOf(at)}
    FROM license_keys k JOIN games g ON g.id = k.game_id AND g.maintenance IS NULL
    WHERE k.id = ${keyId} AND k.normal_form = ${text}
      AND k.revoked_at IS NULL AND k.paused_at IS NULL AND k.expires_at > ${at}
      AND (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id) < k.device_limit
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = k.order_id AND o.undone_at IS NOT NULL)
      AND NOT ${blockExists(deviceId)}
    ON CONFLICT DO NOTHING RETURNING ${isHeard} AS "isHeard"`;
  if (!connected) return null;
  unit.keyChanged(keyId);
  return { isHeard: connected.isHeard === 1 };
}

/** Whether the import that brought the key has been undone. */
export async function isBeingDeleted(sql: Sql, keyId: number): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM license_keys k JOIN orders o ON o.id = k.order_id WHERE k.id = ${keyId} AND o.undone_at IS NOT NULL`;
  return rows.length > 0;
}
