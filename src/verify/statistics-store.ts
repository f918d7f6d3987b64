import { hasRows, inFewSizes, listed, listOf, part, type Sql } from "../db/contract.ts";

/** How often a verdict was returned on a day for the keys of one owner. */
export interface VerdictCounter {
  /** Days since 1970. */
  day: number;
  /** `null` for a text that is no key. */
  owner: number | null;
  /** The number of a code, as the migration has it. */
  code: number;
  count: number;
  /** How many of them connected a new device. */
  connected: number;
}

/** The owner of keys that admins made, whichever admin it was. */
export const adminsAsOwner = 0;

/** How often a key was refused on a day with one code, when last, and on which device. */
export interface RefusalCounter {
  day: number;
  keyId: number;
  code: number;
  count: number;
  lastAt: number;
  lastDeviceId: string;
  /** The key's text that each device sent that found the key full, by the device's hash; empty for other codes. */
  devices: ReadonlyMap<string, string>;
}

/**
 * Adds to the sums of each owner and to those of all. Those of all come first: processes that write the same owners at
 * once then wait there, before they hold any owner's row. No two counters are of the same day, owner and code.
 */
export async function addVerdicts(sql: Sql, counters: VerdictCounter[]): Promise<void> {
  const sums = sumsOfAll(counters).map(
    ({ day, code, count, connected }) => part`(${day}, ${code}, ${count}, ${connected})`,
  );
  await sql`
    INSERT INTO all_verdict_totals (told_day, verdict_code, verdict_count, connected_count)
    VALUES ${listOf(sums)}
    ON CONFLICT (told_day, verdict_code) DO UPDATE SET
      verdict_count = all_verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = all_verdict_totals.connected_count + excluded.connected_count`;
  const owned = counters.filter(({ owner }) => owner !== null);
  if (owned.length === 0) return;
  const rows = owned.map(
    ({ day, owner, code, count, connected }) => part`(${day}, ${owner}, ${code}, ${count}, ${connected})`,
  );
  await sql`
    INSERT INTO verdict_totals (told_day, owner, verdict_code, verdict_count, connected_count)
    VALUES ${listOf(rows)}
    ON CONFLICT (told_day, owner, verdict_code) DO UPDATE SET
      verdict_count = verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = verdict_totals.connected_count + excluded.connected_count`;
}

/** By day and code. Sorted, because two processes that lock rows in different orders can deadlock. */
function sumsOfAll(counters: VerdictCounter[]): Omit<VerdictCounter, "owner">[] {
  const sums = new Map<string, Omit<VerdictCounter, "owner">>();
  for (const { day, code, count, connected } of counters) {
    const sum = sums.get(`${day} ${code}`) ?? { day, code, count: 0, connected: 0 };
    sums.set(`${day} ${code}`, { day, code, count: sum.count + count, connected: sum.connected + connected });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || a.code - b.code);
}

/**
 * No two counters are of the same day, key and code. Those of a key that was deleted since are dropped. Returns those
 * that are the first of their kind on their day.
 */
export async function addRefusals(sql: Sql, counters: RefusalCounter[]): Promise<RefusalCounter[]> {
  const rows = counters.map(
    ({ day, keyId, code, count, lastAt, lastDeviceId }) =>
      part`(CAST(${day} AS BIGINT), CAST(${keyId} AS BIGINT), CAST(${code} AS BIGINT), CAST(${count} AS BIGINT),
        CAST(${lastAt} AS BIGINT), CAST(${lastDeviceId} AS TEXT))`,
  );
  const sums = await sql<{ keyId: number; code: number; day: number; count: number }>`
    WITH refused (day, key_id, code, count, last_at, device_id) AS (VALUES ${listOf(rows)})
    INSERT INTO key_refusals (refused_day, key_id, verdict_code, refusal_count, last_at, last_device_id)
    SELECT r.day, r.key_id, r.code, r.count, r.last_at, r.device_id
    FROM refused r JOIN license_keys k ON k.id = r.key_id WHERE true
    ON CONFLICT (refused_day, key_id, verdict_code) DO UPDATE SET
      refusal_count = key_refusals.refusal_count + excluded.refusal_count,
      last_at = excluded.last_at, last_device_id = excluded.last_device_id
    RETURNING key_id AS "keyId", verdict_code AS code, refused_day AS day, refusal_count AS count`;
  return counters.filter(({ keyId, code, day, count }) =>
    sums.some((sum) => sum.keyId === keyId && sum.code === code && sum.day === day && sum.count === count),
  );
}

/** Different devices are counted up to this number, of one day and of two. */
export const refusedDevicesMax = 100;

interface RefusedRow {
  keyId: number;
  /** The key's present text. */
  text: string;
  owner: number;
  /** Null for a key that has no row yet. */
  day: number | null;
  hashes: string | null;
  before: string | null;
}

/**
 * Keeps the devices of each key's last day with any, and of the day before. Devices that sent a text that was replaced
 * since then say nothing about the new one.
 */
export async function addRefusedDevices(sql: Sql, counters: RefusalCounter[]): Promise<void> {
  const full = counters.filter(({ devices }) => devices.size > 0);
  if (full.length === 0) return;
  const rows = await sql<RefusedRow>`
    SELECT k.id AS "keyId", k.normal_form AS text, coalesce(k.reseller_id, 0) AS owner,
      r.refused_day AS day, r.hashes, r.hashes_before AS before
    FROM license_keys k LEFT JOIN refused_devices r ON r.key_id = k.id
    WHERE k.id IN (${listed(full.map(({ keyId }) => keyId))})`;
  const byKey = new Map(rows.map((row) => [row.keyId, row]));
  for (const { keyId, day, devices } of full) {
    const row = byKey.get(keyId);
    const hashes = [...devices].flatMap(([hash, text]) => (text === row?.text ? hash : []));
    if (row && hashes.length > 0) byKey.set(keyId, withDevices(row, day, hashes));
  }
  for (const some of inFewSizes([...byKey.values()].filter((row) => !rows.includes(row)))) {
    const values = some.map(({ keyId, owner, day, hashes, before }) => {
      const [own, both] = [setOf(hashes), new Set([...setOf(hashes), ...setOf(before)])];
      const counts = part`${own.size}, ${Math.min(both.size, refusedDevicesMax)}`;
      return part`(${keyId}, ${owner}, ${day}, ${hashes}, ${before ?? ""}, ${counts})`;
    });
    await sql`
      INSERT INTO refused_devices (key_id, owner, refused_day, hashes, hashes_before, own_count, both_count)
      VALUES ${listOf(values)} ON CONFLICT (key_id) DO UPDATE SET refused_day = excluded.refused_day,
        hashes = excluded.hashes, hashes_before = excluded.hashes_before, own_count = excluded.own_count,
        both_count = excluded.both_count`;
  }
}

/** The same row if nothing is new. Devices of an older day that are written late count for the day before. */
function withDevices(row: RefusedRow, day: number, devices: readonly string[]): RefusedRow {
  if (row.day === null || day > row.day) {
    return { ...row, day, hashes: textOf(devices), before: row.day === day - 1 ? row.hashes : "" };
  }
  const column = day === row.day ? "hashes" : "before";
  const text = textOf(new Set([...setOf(row[column]), ...devices]));
  return day < row.day - 1 || text === row[column] ? row : { ...row, [column]: text };
}

function setOf(hashes: string | null): Set<string> {
  return new Set(hashes?.split(" ").filter(Boolean));
}

function textOf(devices: Iterable<string>): string {
  return [...devices].slice(0, refusedDevicesMax).join(" ");
}

/** The resellers of these keys; null for an admin key. */
export async function ownersOf(sql: Sql, keyIds: readonly number[]): Promise<Map<number, number | null>> {
  const rows = await sql<{ id: number; resellerId: number | null }>`
    SELECT id, reseller_id AS "resellerId" FROM license_keys WHERE id IN (${listed(keyIds)})`;
  return new Map(rows.map(({ id, resellerId }) => [id, resellerId]));
}

/** A connected device, the day of its last verification, and the name that it sent, if any. */
export interface SeenDevice {
  keyId: number;
  deviceId: string;
  /** Days since 1970. */
  day: number;
  name: string | null;
}

/** The cache keeps this too, so the keys stay in it. */
export async function writeSeen(sql: Sql, devices: SeenDevice[]): Promise<void> {
  const rows = devices.map(
    ({ keyId, deviceId, day, name }) =>
      part`(CAST(${keyId} AS BIGINT), ${deviceId}, CAST(${day} AS BIGINT), CAST(${name} AS TEXT))`,
  );
  await sql`
    WITH seen (key_id, device_id, day, name) AS (VALUES ${listOf(rows)})
    UPDATE key_devices AS d SET name = coalesce(s.name, d.name),
      last_seen_day = CASE WHEN s.day > d.last_seen_day THEN s.day ELSE d.last_seen_day END
    FROM seen s WHERE d.key_id = s.key_id AND d.device_id = s.device_id`;
}

/** The first days that are kept. */
export interface KeptSince {
  refusalsSince: number;
  totalsSince: number;
  devicesSince: number;
}

export async function hasOlder(sql: Sql, { refusalsSince, totalsSince, devicesSince }: KeptSince): Promise<boolean> {
  return hasRows(sql`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM key_refusals WHERE refused_day < ${refusalsSince})
      OR EXISTS (SELECT 1 FROM refused_devices WHERE refused_day < ${devicesSince})
      OR EXISTS (SELECT 1 FROM verdict_totals WHERE told_day < ${totalsSince})
      OR EXISTS (SELECT 1 FROM all_verdict_totals WHERE told_day < ${totalsSince})`);
}

/** Erases at most `rowsMax` rows of each table. The sums of all are a handful a day. */
export async function eraseOlder(sql: Sql, kept: KeptSince, rowsMax: number): Promise<void> {
  const { refusalsSince, totalsSince, devicesSince } = kept;
  await sql`
    DELETE FROM refused_devices WHERE key_id IN (
      SELECT key_id FROM refused_devices WHERE refused_day < ${devicesSince} LIMIT ${rowsMax})`;
  await sql`
    DELETE FROM key_refusals WHERE (refused_day, key_id, verdict_code) IN (
      SELECT refused_day, key_id, verdict_code FROM key_refusals WHERE refused_day < ${refusalsSince} LIMIT ${rowsMax})`;
  await sql`
    DELETE FROM verdict_totals WHERE (told_day, owner, verdict_code) IN (
      SELECT told_day, owner, verdict_code FROM verdict_totals WHERE told_day < ${totalsSince} LIMIT ${rowsMax})`;
  await sql`DELETE FROM all_verdict_totals WHERE told_day < ${totalsSince}`;
}
