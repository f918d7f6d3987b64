import { msPerDay, msPerHour } from "../../core/clock.ts";
import { totalsDay } from "../../core/key-time.ts";
import { raw } from "../../db/append-only.ts";
import { listed, part, type Sql, type SqlPart, type Unit } from "../../db/contract.ts";
import { addToHistory } from "../../facts/history-store.ts";
import { isSelected, type Selection } from "../selection/selection-store.ts";
import { type Owner, ownedBy } from "../store.ts";

/** What admins pay. */
export const free = part`0`;

/** The same price for each key, in tenths of a credit. */
export function fixedPrice(tenths: number): SqlPart {
  return part`CAST(${tenths} AS BIGINT)`;
}

/** rules.md: The time of a key. */
const lifeMsMax = 36_525 * msPerDay;

/**
 * Extends keys, in the caller's transaction, which has checked that none of them is revoked. A key that has not started
 * gets a longer duration; an expired one is extended from now on.
 */
export function extendKeys(unit: Unit, ids: readonly number[], hours: number, at: number): Promise<void> {
  const longer = part`
    duration_hours = CASE WHEN k.started_at IS NULL THEN k.duration_hours + ${hours} ELSE k.duration_hours END,
    expires_at = CASE WHEN k.started_at IS NULL THEN k.expires_at ELSE ${extendedTo(hours, at)} END`;
  return changeTimes(unit, ids, longer);
}

/** Whether one of these keys would live too long if they were extended. */
export async function isTooFar(sql: Sql, ids: readonly number[], hours: number, at: number): Promise<boolean> {
  const [key] = await sql`
    SELECT 1 FROM license_keys k WHERE k.id IN (${listed(ids)})
      AND CASE WHEN k.started_at IS NULL THEN ${at} + (k.duration_hours + ${hours}) * ${msPerHour}
        ELSE ${extendedTo(hours, at)} END > ${at + lifeMsMax} LIMIT 1`;
  return key !== undefined;
}

/** When a key that has started would expire. */
function extendedTo(hours: number, at: number): SqlPart {
  const ms = hours * msPerHour;
  return part`
    CASE WHEN k.paused_at IS NULL AND k.expires_at < ${at} THEN ${at + ms} ELSE k.expires_at + ${ms} END`;
}

/** Moves the expiry of these keys. Hours are negative when they are taken back. */
export function addHours(unit: Unit, ids: readonly number[], hours: number): Promise<void> {
  return changeTimes(unit, ids, part`expires_at = k.expires_at + ${hours * msPerHour}`);
}

/** Starts the time of a key with its first device. */
export async function startKey(unit: Unit, keyId: number, { deviceId, at }: { deviceId: string; at: number }) {
  await changeTimes(unit, [keyId], part`started_at = ${at}, expires_at = ${at} + k.duration_hours * ${msPerHour}`);
  await addToHistory(unit.sql, { what: "STARTED", ids: [keyId], madeBy: null, deviceId, at });
}

interface PauseRow {
  /** Null unless its reseller has paused it. */
  pauseEndsAt: number | null;
  /** What the reseller's earlier pauses used of the days. */
  pauseUsedMs: number;
}

export async function pauseOf(sql: Sql, id: number): Promise<PauseRow> {
  const [row] = await sql<PauseRow>`
    SELECT k.pause_ends_at AS "pauseEndsAt", k.pause_used_ms AS "pauseUsedMs"
    FROM license_keys k WHERE k.id = ${id}`;
  return row as PauseRow;
}

interface Pause {
  at: number;
  /** Only a reseller's pause has an end. */
  endsAt?: number;
  interventionId?: number;
}

/** Pauses ACTIVE keys. */
export function pauseKeys(unit: Unit, ids: readonly number[], { at, endsAt, interventionId }: Pause): Promise<void> {
  const until = part`pause_ends_at = ${endsAt ?? null}, paused_in_id = ${interventionId ?? null}`;
  return changeTimes(unit, ids, part`paused_at = ${at}, ${until}`);
}

/** Turns a reseller's pause into an admin's. From then on it does not use the reseller's days. */
export function takeOverPause(unit: Unit, id: number, at: number): Promise<void> {
  return changeTimes(unit, [id], part`pause_used_ms = ${usedBy(part`${at}`)}, pause_ends_at = NULL`);
}

/** Resumes PAUSED keys. Each gets back exactly the time that it was paused. */
export function resumeKeys(unit: Unit, ids: readonly number[], at: number): Promise<void> {
  return changeTimes(unit, ids, resumedAt(part`${at}`));
}

/** The keys whose reseller has no days left for their pause, those first whose days ended first. */
export async function usedUpPauses(
  sql: Sql,
  at: number,
  only: { rowsMax: number } | { id: number },
): Promise<number[]> {
  const which = "id" in only ? part`AND k.id = ${only.id}` : part`ORDER BY k.pause_ends_at LIMIT ${only.rowsMax}`;
  return idsOf(await sql`SELECT k.id FROM license_keys k WHERE k.pause_ends_at <= ${at} ${which}`);
}

/** Resumes each of these keys at the end of its pause, whenever that was. */
export async function endPauses(unit: Unit, ids: readonly number[]): Promise<void> {
  const at = part`k.pause_ends_at`;
  await addToHistory(unit.sql, { what: "RESUMED", ids, madeBy: null, at });
  await changeTimes(unit, ids, resumedAt(at));
}

function resumedAt(at: SqlPart): SqlPart {
  return part`expires_at = CASE WHEN k.started_at IS NULL THEN k.expires_at ELSE k.expires_at + ${pausedMs(at)} END,
    pause_used_ms = ${usedBy(at)}, paused_at = NULL, pause_ends_at = NULL, paused_in_id = NULL`;
}

/** How much of the reseller's days is used if the pause ends then. */
function usedBy(at: SqlPart): SqlPart {
  return part`k.pause_used_ms + CASE WHEN k.pause_ends_at IS NULL THEN 0 ELSE ${pausedMs(at)} END`;
}

/** The clocks of two processes may differ a little, and no key loses time by a pause. */
function pausedMs(at: SqlPart): SqlPart {
  return part`CASE WHEN ${at} > k.paused_at THEN ${at} - k.paused_at ELSE 0 END`;
}

/**
 * Changes the columns of `license_keys AS k` that decide a key's status, and keeps the totals in step. The caller has
 * checked, in the same transaction, that all keys may be changed, and adds the change to their history.
 */
async function changeTimes(unit: Unit, ids: readonly number[], assignments: SqlPart): Promise<void> {
  if (ids.length === 0) return;
  const keys = part`k.id IN (${listed(ids)})`;
  await unit.sql`
    UPDATE key_totals AS t SET made_count = t.made_count - c.count FROM (${countsOf(keys)}) AS c
    WHERE t.owner = c.owner AND t.game_id = c.game_id AND t.expiry_day = c.expiry_day`;
  await unit.sql`UPDATE license_keys AS k SET ${assignments} WHERE ${keys}`;
  await unit.sql`
    INSERT INTO key_totals (owner, game_id, expiry_day, made_count) ${countsOf(keys)}
    ON CONFLICT (owner, game_id, expiry_day) DO UPDATE SET made_count = key_totals.made_count + excluded.made_count`;
  for (const id of ids) unit.keyChanged(id);
}

/** How these keys count in the totals. */
function countsOf(keys: SqlPart): SqlPart {
  return part`
    SELECT coalesce(k.reseller_id, 0) AS owner, k.game_id, ${raw(totalsDay)} AS expiry_day, count(*) AS count
    FROM license_keys k WHERE ${keys} GROUP BY 1, 2, 3`;
}

export interface ExtensionCounts {
  toExtend: number;
  costTenths: number;
  /** Of those that have started, before and after; null if none has. */
  first: number | null;
  last: number | null;
  newFirst: number | null;
  newLast: number | null;
}

/** How many keys of a selection can be extended, and what that costs. `price` is null for a key that is not sold. */
export async function countExtension(
  sql: Sql,
  selection: Selection,
  { price, hours, at }: { price: SqlPart; hours: number; at: number },
): Promise<ExtensionCounts> {
  const started = (value: SqlPart) => part`CASE WHEN k.started_at IS NOT NULL THEN ${value} END`;
  const [before, after] = [started(part`k.expires_at`), started(extendedTo(hours, at))];
  const [row] = await sql<ExtensionCounts>`
    SELECT CAST(coalesce(sum(g.keys), 0) AS BIGINT) AS "toExtend",
      CAST(coalesce(sum(g.keys * g.price), 0) AS BIGINT) AS "costTenths",
      min(g.first) AS first, max(g.last) AS last, min(g.new_first) AS "newFirst", max(g.new_last) AS "newLast"
    FROM (
      SELECT count(*) AS keys, ${price} AS price, min(${before}) AS first, max(${before}) AS last,
        min(${after}) AS new_first, max(${after}) AS new_last
      FROM license_keys k
      WHERE ${isSelected(selection)} AND k.revoked_at IS NULL GROUP BY k.game_id, k.device_limit) AS g
    WHERE g.price IS NOT NULL`;
  return row as NonNullable<typeof row>;
}

/** The first of those keys, in the order of their ids, and what extending them costs. */
export async function listExtension(sql: Sql, selection: Selection, price: SqlPart, rowsMax: number) {
  const rows = await sql<{ id: number; tenths: number }>`SELECT k.id, ${price} AS tenths FROM license_keys k
    WHERE ${isSelected(selection)} AND k.revoked_at IS NULL AND ${price} IS NOT NULL ORDER BY k.id LIMIT ${rowsMax}`;
  return { ids: idsOf(rows), costTenths: rows.reduce((sum, { tenths }) => sum + tenths, 0) };
}

/** Those of these keys that can still be extended. */
export async function stillExtensible(sql: Sql, ids: readonly number[], owner: Owner, price: SqlPart) {
  return idsOf(
    await sql`SELECT k.id FROM license_keys k
      WHERE k.id IN (${listed(ids)}) AND ${ownedBy(owner)} AND k.revoked_at IS NULL AND ${price} IS NOT NULL ORDER BY k.id`,
  );
}

function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
