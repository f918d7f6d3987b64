import { nothing, part, type Sql, type Unit } from "../../db/contract.ts";
import type { Game } from "../games.ts";
import { hasStatus } from "../status.ts";
import { deviceCount } from "../store.ts";

/** All that a verdict is decided on, found by one read. `isKnown` is 1 when the device is connected to the key. */
export interface StandingRow {
  id: number;
  game: Game;
  deviceLimit: number;
  deviceCount: number;
  expiresAt: number;
  revokedAt: number | null;
  /** Whose key it is; `null` for an admin key. */
  resellerId: number | null;
  isKnown: number;
}

/** `keyText` is in lower case, as the index has it. */
export function standingOf(sql: Sql, keyText: string, deviceId: string): Promise<StandingRow | null> {
  return sql<StandingRow>`SELECT ${standingWith(deviceId)} WHERE lower(k.key_string) = ${keyText}`.then(firstOf);
}

/** The same for who believes to know the key's id, without a look into the index of all texts; `null` too where that key has another text. */
export function standingOfKey(
  sql: Sql,
  { keyId, keyText, deviceId }: { keyId: number; keyText: string; deviceId: string },
): Promise<StandingRow | null> {
  return sql<StandingRow>`
    SELECT ${standingWith(deviceId)} WHERE k.id = ${keyId} AND lower(k.key_string) = ${keyText}`.then(firstOf);
}

function standingWith(deviceId: string) {
  return part`k.id, k.game, k.device_limit AS "deviceLimit", ${deviceCount} AS "deviceCount", k.expires_at AS "expiresAt",
      k.revoked_at AS "revokedAt", k.reseller_id AS "resellerId",
      (SELECT count(*) FROM key_devices d WHERE d.key_id = k.id AND d.device_id = ${deviceId}) AS "isKnown"
    FROM license_keys k`;
}

function firstOf([row]: StandingRow[]): StandingRow | null {
  return row ?? null;
}

/** A connected device, with the key text that it is asked about by. */
export interface ConnectedRow extends StandingRow {
  deviceRowId: number;
  keyText: string;
  deviceId: string;
}

/** The next connected devices, those that connected last first, before one of them or from the first. */
export async function connectedDevices(sql: Sql, before: number | null, limit: number): Promise<ConnectedRow[]> {
  const earlier = before === null ? nothing : part`WHERE id < ${before}`;
  return sql<ConnectedRow>`
    SELECT d.id AS "deviceRowId", lower(k.key_string) AS "keyText", d.device_id AS "deviceId", k.id, k.game,
      k.device_limit AS "deviceLimit", ${deviceCount} AS "deviceCount", k.expires_at AS "expiresAt",
      k.revoked_at AS "revokedAt", k.reseller_id AS "resellerId", 1 AS "isKnown"
    FROM (SELECT id, key_id, device_id FROM key_devices ${earlier} ORDER BY id DESC LIMIT ${limit}) d
      JOIN license_keys k ON k.id = d.key_id
    ORDER BY d.id DESC`;
}

export async function countConnected(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }>`SELECT count(*) AS count FROM key_devices`;
  return row?.count ?? 0;
}

/**
 * Connects a device and returns how many are connected then. Returns null and changes nothing if the key is not ACTIVE, has no free slot, or
 * the device is connected already. The conditions are part of the INSERT, because the key may have changed since it was read.
 */
export async function connectDevice(
  unit: Unit,
  { keyId, deviceId, at }: { keyId: number; deviceId: string; at: number },
): Promise<number | null> {
  // RETURNING sees the new row on one engine only, so this counts the rows before it and adds one.
  const [connected] = await unit.sql<{ deviceCount: number }>`
    INSERT INTO key_devices (key_id, device_id, first_connected_at)
    SELECT k.id, ${deviceId}, ${at} FROM license_keys k
    WHERE k.id = ${keyId} AND ${hasStatus("ACTIVE", at)} AND ${deviceCount} < k.device_limit
    ON CONFLICT DO NOTHING
    RETURNING 1 + (SELECT count(*) FROM key_devices d WHERE d.key_id = key_devices.key_id AND d.id < key_devices.id) AS "deviceCount"`;
  if (!connected) return null;
  unit.keyChanged(keyId);
  return connected.deviceCount;
}

export interface DeviceRow {
  id: number;
  deviceId: string;
  firstConnectedAt: number;
}

/** The connected devices, first come first. A key has at most 100. */
export async function devicesOf(sql: Sql, keyId: number): Promise<DeviceRow[]> {
  return sql<DeviceRow>`
    SELECT id, device_id AS "deviceId", first_connected_at AS "firstConnectedAt"
    FROM key_devices WHERE key_id = ${keyId} ORDER BY first_connected_at, id`;
}

/** Frees the device's slot and adds that to the key's history. Returns its device id, or null if the key has no such device. */
export async function removeDevice(
  unit: Unit,
  { keyId, deviceRowId, madeBy, at }: { keyId: number; deviceRowId: number; madeBy: number; at: number },
): Promise<string | null> {
  const [removed] = await unit.sql<{ deviceId: string; connectedAt: number }>`
    DELETE FROM key_devices WHERE id = ${deviceRowId} AND key_id = ${keyId}
    RETURNING device_id AS "deviceId", first_connected_at AS "connectedAt"`;
  if (!removed) return null;
  unit.keyChanged(keyId);
  await unit.sql`
    INSERT INTO key_events (key_id, what, made_by, device_id, connected_at, created_at)
    VALUES (${keyId}, 'DEVICE_REMOVED', ${madeBy}, ${removed.deviceId}, ${removed.connectedAt}, ${at})`;
  return removed.deviceId;
}

/** How many keys have devices, and the ids of the first and the last of them: 0 where there are none. */
export async function keysInUse(sql: Sql): Promise<{ count: number; first: number; last: number }> {
  const [row] = await sql<{ count: number; first: number; last: number }>`
    SELECT count(*) AS count, coalesce(min(key_id), 0) AS first, coalesce(max(key_id), 0) AS last
    FROM (SELECT DISTINCT key_id FROM key_devices) AS used`;
  return row as { count: number; first: number; last: number };
}

/** The next keys that have devices, in the order of their ids, after one id and up to another. */
export async function nextKeysInUse(
  sql: Sql,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT DISTINCT key_id AS id FROM key_devices WHERE key_id > ${after} AND key_id <= ${last} ORDER BY key_id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Removes every device from the keys in this range of ids, and returns how many of them had any. */
export async function resetDevices(
  unit: Unit,
  { first, last, madeBy, at }: { first: number; last: number; madeBy: number; at: number },
): Promise<number> {
  const reset = await unit.sql<{ keyId: number }>`
    INSERT INTO key_events (key_id, what, made_by, device_count, created_at)
    SELECT key_id, 'DEVICES_RESET', ${madeBy}, count(*), ${at} FROM key_devices
    WHERE key_id BETWEEN ${first} AND ${last} GROUP BY key_id ORDER BY key_id RETURNING key_id AS "keyId"`;
  for (const { keyId } of reset) unit.keyChanged(keyId);
  await unit.sql`DELETE FROM key_devices WHERE key_id BETWEEN ${first} AND ${last}`;
  return reset.length;
}

export interface KeyEventRow {
  what: "DEVICE_REMOVED" | "DEVICES_RESET" | "NOTED";
  at: number;
  by: string;
  deviceId: string | null;
}

/** How many events a key's history shows at most; an open dialog is no archive. */
const eventsMax = 200;

export async function eventsOf(sql: Sql, keyId: number): Promise<KeyEventRow[]> {
  return sql<KeyEventRow>`
    SELECT e.what, e.created_at AS at, a.username AS by, e.device_id AS "deviceId"
    FROM key_events e JOIN accounts a ON a.id = e.made_by
    WHERE e.key_id = ${keyId} ORDER BY e.id DESC LIMIT ${eventsMax}`;
}
