import { foldedText } from "../core/text.ts";
import { firstOf, hasRows, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { Duration, Game, Price } from "./schema.ts";

export interface GameRow extends Omit<Game, "aliases" | "isRetired" | "release"> {
  isRetired: number;
  releaseIsAllowed: number;
  releaseCooldownHours: number;
  releasePerThirtyDays: number;
  releaseIdleDays: number | null;
}

export interface DurationRow extends Omit<Duration, "isRetired"> {
  isRetired: number;
}

export interface PriceRow extends Omit<Price, "credits"> {
  priceListId: number;
  tenths: number;
}

const gameColumns = part`g.id, g.name, g.prefix, g.is_retired AS "isRetired", g.maintenance,
  g.minimum_version AS "minimumVersion", g.update_message AS "updateMessage", g.release_is_allowed AS "releaseIsAllowed",
  g.release_cooldown_hours AS "releaseCooldownHours", g.release_per_thirty_days AS "releasePerThirtyDays",
  g.release_idle_days AS "releaseIdleDays", g.lease_hours AS "leaseHours"`;

export function allGames(sql: Sql): Promise<GameRow[]> {
  return sql<GameRow>`SELECT ${gameColumns} FROM games g ORDER BY g.id`;
}

/** The game with this name or alias, regardless of case. */
export async function gameNamed(sql: Sql, name: string): Promise<GameRow | null> {
  return firstOf(sql<GameRow>`
    SELECT ${gameColumns} FROM game_names n JOIN games g ON g.id = n.game_id WHERE n.name_folded = ${foldedText(name)}`);
}

/** All names and aliases. */
export function allGameNames(sql: Sql): Promise<{ gameId: number; name: string }[]> {
  return sql`SELECT game_id AS "gameId", name FROM game_names ORDER BY name`;
}

export async function insertGame(sql: Sql, game: Omit<GameRow, "id">): Promise<number> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO games (name, prefix, is_retired, maintenance, minimum_version, update_message,
      release_is_allowed, release_cooldown_hours, release_per_thirty_days, release_idle_days, lease_hours)
    VALUES (${game.name}, ${game.prefix}, ${game.isRetired}, ${game.maintenance}, ${game.minimumVersion},
      ${game.updateMessage}, ${game.releaseIsAllowed}, ${game.releaseCooldownHours}, ${game.releasePerThirtyDays},
      ${game.releaseIdleDays}, ${game.leaseHours}) RETURNING id`;
  return (row as { id: number }).id;
}

export async function changeGame(sql: Sql, { id, ...game }: GameRow): Promise<void> {
  await sql`
    UPDATE games SET name = ${game.name}, prefix = ${game.prefix}, is_retired = ${game.isRetired},
      maintenance = ${game.maintenance}, minimum_version = ${game.minimumVersion}, update_message = ${game.updateMessage},
      release_is_allowed = ${game.releaseIsAllowed}, release_cooldown_hours = ${game.releaseCooldownHours},
      release_per_thirty_days = ${game.releasePerThirtyDays}, release_idle_days = ${game.releaseIdleDays},
      lease_hours = ${game.leaseHours}
    WHERE id = ${id}`;
}

/** Keeps when a game was under maintenance, after its sentence may have changed. */
export async function trackMaintenance(sql: Sql, gameId: number, at: number): Promise<void> {
  const isClosed = part`EXISTS (SELECT 1 FROM games g WHERE g.id = ${gameId} AND g.maintenance IS NOT NULL)`;
  await sql`
    UPDATE game_maintenance SET ended_at = CASE WHEN began_at > ${at} THEN began_at ELSE ${at} END
    WHERE game_id = ${gameId} AND ended_at IS NULL AND NOT ${isClosed}`;
  await sql`
    INSERT INTO game_maintenance (game_id, began_at) SELECT ${gameId}, ${at} WHERE ${isClosed} ON CONFLICT DO NOTHING`;
}

/** Replaces the names of a game. Returns a name that another game has, in any case, or null. */
export async function nameGame(sql: Sql, gameId: number, names: readonly string[]): Promise<string | null> {
  await sql`DELETE FROM game_names WHERE game_id = ${gameId}`;
  for (const name of names) {
    const rows = await sql`
      INSERT INTO game_names (name_folded, name, game_id) VALUES (${foldedText(name)}, ${name}, ${gameId})
      ON CONFLICT DO NOTHING RETURNING name`;
    if (rows.length === 0) return name;
  }
  return null;
}

const durationColumns = part`d.id, d.label, d.hours, d.is_retired AS "isRetired"`;

export function allDurations(sql: Sql): Promise<DurationRow[]> {
  return sql<DurationRow>`SELECT ${durationColumns} FROM durations d ORDER BY d.id`;
}

/** The duration with this id, or of these hours. */
export async function durationOf(sql: Sql, by: { id: number } | { hours: number }): Promise<DurationRow | null> {
  const condition = "id" in by ? part`d.id = ${by.id}` : part`d.hours = ${by.hours}`;
  return firstOf(sql<DurationRow>`SELECT ${durationColumns} FROM durations d WHERE ${condition}`);
}

/** Returns null if there is a duration of these hours. */
export async function insertDuration(sql: Sql, duration: Omit<DurationRow, "id">): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO durations (label, hours, is_retired) VALUES (${duration.label}, ${duration.hours}, ${duration.isRetired})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

export async function changeDuration(sql: Sql, { id, label, isRetired }: Omit<DurationRow, "hours">): Promise<void> {
  await sql`UPDATE durations SET label = ${label}, is_retired = ${isRetired} WHERE id = ${id}`;
}

export function allPriceLists(sql: Sql): Promise<{ id: number; name: string }[]> {
  return sql`SELECT id, name FROM price_lists ORDER BY id`;
}

/** Returns null if the name is taken, in any case. */
export async function insertPriceList(sql: Sql, name: string): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO price_lists (name, name_folded) VALUES (${name}, ${foldedText(name)})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

/** Returns whether the name was free. */
export async function renamePriceList(sql: Sql, id: number, name: string): Promise<boolean> {
  return hasRows(sql`
    UPDATE price_lists SET name = ${name}, name_folded = ${foldedText(name)} WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM price_lists o WHERE o.name_folded = ${foldedText(name)} AND o.id <> ${id}) RETURNING id`);
}

const priceColumns = part`p.price_list_id AS "priceListId", p.game_id AS "gameId", p.duration_id AS "durationId",
  p.device_limit AS "deviceLimit", p.credits_tenths AS tenths`;

export function allPrices(sql: Sql): Promise<PriceRow[]> {
  return sql<PriceRow>`
    SELECT ${priceColumns} FROM prices p ORDER BY p.price_list_id, p.game_id, p.duration_id, p.device_limit`;
}

export async function replacePrices(sql: Sql, priceListId: number, prices: Omit<PriceRow, "priceListId">[]) {
  await sql`DELETE FROM prices WHERE price_list_id = ${priceListId}`;
  for (const { gameId, durationId, deviceLimit, tenths } of prices) {
    await sql`
      INSERT INTO prices (price_list_id, game_id, duration_id, device_limit, credits_tenths)
      VALUES (${priceListId}, ${gameId}, ${durationId}, ${deviceLimit}, ${tenths})`;
  }
}

/** Returns whether it changed. */
export async function assignPriceList(sql: Sql, resellerId: number, priceListId: number): Promise<boolean> {
  return hasRows(sql`
    UPDATE resellers SET price_list_id = ${priceListId} WHERE id = ${resellerId} AND price_list_id <> ${priceListId}
    RETURNING id`);
}

/** What a reseller pays for one key, in tenths of a credit; null if it is not sold. */
export async function priceFor(
  sql: Sql,
  resellerId: number,
  { gameId, durationId, deviceLimit }: Omit<PriceRow, "priceListId" | "tenths">,
): Promise<number | null> {
  const [row] = await sql<{ tenths: number }>`
    SELECT p.credits_tenths AS tenths FROM prices p
    WHERE p.price_list_id = (SELECT r.price_list_id FROM resellers r WHERE r.id = ${resellerId})
      AND p.game_id = ${gameId} AND p.duration_id = ${durationId} AND p.device_limit = ${deviceLimit}`;
  return row?.tenths ?? null;
}

/** What a reseller can order. */
export function pricesOf(sql: Sql, resellerId: number): Promise<PriceRow[]> {
  return sql<PriceRow>`
    SELECT ${priceColumns} FROM prices p JOIN resellers r ON r.price_list_id = p.price_list_id
      JOIN games g ON g.id = p.game_id JOIN durations d ON d.id = p.duration_id
    WHERE r.id = ${resellerId} AND g.is_retired = 0 AND d.is_retired = 0
    ORDER BY p.game_id, d.hours, p.device_limit`;
}

/**
 * The price of `license_keys AS k` for another duration, in tenths of a credit; null if that is not sold to the
 * reseller. It has the rule of `pricedLimit`.
 */
export function keyPrice(resellerId: number, durationId: number): SqlPart {
  return part`(
    SELECT p.credits_tenths FROM prices p JOIN games g ON g.id = p.game_id AND g.is_retired = 0
    WHERE p.price_list_id = (SELECT r.price_list_id FROM resellers r WHERE r.id = ${resellerId})
      AND p.game_id = k.game_id AND p.duration_id = ${durationId}
      AND p.device_limit = CASE WHEN k.device_limit <= 1 THEN 1 WHEN k.device_limit <= 2 THEN 2 ELSE 100 END)`;
}

export interface LimitPrices {
  hours: number;
  fromTenths: number;
  toTenths: number;
}

/** The prices of two device limits for each duration that is sold to a reseller with both of them, the shortest first. */
export function limitPrices(
  sql: Sql,
  resellerId: number,
  { gameId, from, to }: { gameId: number; from: number; to: number },
): Promise<LimitPrices[]> {
  return sql<LimitPrices>`
    SELECT d.hours, p.credits_tenths AS "fromTenths", q.credits_tenths AS "toTenths"
    FROM resellers r JOIN prices p ON p.price_list_id = r.price_list_id
      JOIN prices q ON q.price_list_id = p.price_list_id AND q.game_id = p.game_id AND q.duration_id = p.duration_id
      JOIN durations d ON d.id = p.duration_id AND d.is_retired = 0 JOIN games g ON g.id = p.game_id AND g.is_retired = 0
    WHERE r.id = ${resellerId} AND p.game_id = ${gameId} AND p.device_limit = ${from} AND q.device_limit = ${to}
    ORDER BY d.hours`;
}
