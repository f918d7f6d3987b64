import { listed, part, type Sql, type SqlPart, type Unit } from "../../db/contract.ts";
import type { StoredEvent } from "../schema.ts";

export interface DeviceRow {
  id: number;
  deviceId: string;
  name: string | null;
  firstConnectedAt: number;
  lastSeenDay: number;
}

/** The connected devices, the oldest first. A key has at most 100. */
export async function devicesOf(sql: Sql, keyId: number): Promise<DeviceRow[]> {
  return sql<DeviceRow>`
    SELECT id, device_id AS "deviceId", name, first_connected_at AS "firstConnectedAt", last_seen_day AS "lastSeenDay"
    FROM key_devices WHERE key_id = ${keyId} ORDER BY first_connected_at, id`;
}

export interface Removal {
  keyId: number;
  deviceRowId: number;
  /** Null for a player, and for a device that was idle. */
  madeBy: number | null;
  at: number;
  what?: "DEVICE_REMOVED" | "DEVICE_RELEASED" | "DEVICE_IDLE";
}

export interface RemovedDevice {
  deviceId: string;
  name: string | null;
  connectedAt: number;
  isHeard: number;
}

/**
 * Frees the device's slot and adds that to the key's history. Returns the device, and whether `isHeard`, or null if the
 * key has no such device.
 */
export async function removeDevice(
  unit: Unit,
  { keyId, deviceRowId, madeBy, at, what = "DEVICE_REMOVED" }: Removal,
  isHeard: SqlPart = part`0`,
): Promise<RemovedDevice | null> {
  const [removed] = await unit.sql<RemovedDevice>`
    DELETE FROM key_devices WHERE id = ${deviceRowId} AND key_id = ${keyId}
    RETURNING device_id AS "deviceId", name, first_connected_at AS "connectedAt", ${isHeard} AS "isHeard"`;
  if (!removed) return null;
  unit.keyChanged(keyId);
  await unit.sql`
    INSERT INTO key_events (key_id, what, made_by, device_id, device_name, connected_at, created_at)
    VALUES (${keyId}, ${what}, ${madeBy}, ${removed.deviceId}, ${removed.name}, ${removed.connectedAt}, ${at})`;
  return removed;
}

/**
 * Frees the slots of the devices with these row ids, or of all devices of a key, and adds that to the history of their
 * keys. Returns those that were still there.
 */
export async function removeDevices(
  unit: Unit,
  { madeBy, at, ...which }: { madeBy: number; at: number } & ({ ids: readonly number[] } | { keyId: number }),
): Promise<{ keyId: number; deviceId: string; name: string | null }[]> {
  const those = "ids" in which ? part`id IN (${listed(which.ids)})` : part`key_id = ${which.keyId}`;
  await unit.sql`
    INSERT INTO key_events (key_id, what, made_by, device_id, device_name, connected_at, created_at)
    SELECT key_id, 'DEVICE_REMOVED', CAST(${madeBy} AS BIGINT), device_id, name, first_connected_at, ${at}
    FROM key_devices WHERE ${those} ORDER BY id`;
  const removed = await unit.sql<{ keyId: number; deviceId: string; name: string | null }>`
    DELETE FROM key_devices WHERE ${those} RETURNING key_id AS "keyId", device_id AS "deviceId", name`;
  if ("keyId" in which) unit.keyChanged(which.keyId);
  for (const { keyId } of removed) unit.keyChanged(keyId);
  return removed;
}

/** How many keys have devices, and the ids of the first and the last of them, 0 if there are none. */
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
  what: StoredEvent;
  at: number;
  /** Null for a device, and for what ended by itself. */
  by: string | null;
  deviceId: string | null;
}

/** The most events in a key's history. */
const eventsMax = 200;

export async function eventsOf(sql: Sql, keyId: number): Promise<KeyEventRow[]> {
  return sql<KeyEventRow>`
    SELECT e.what, e.created_at AS at, a.username AS by, e.device_id AS "deviceId"
    FROM key_events e LEFT JOIN accounts a ON a.id = e.made_by
    WHERE e.key_id = ${keyId} ORDER BY e.id DESC LIMIT ${eventsMax}`;
}
