import { hoursPerDay } from "../core/clock.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import { type DurationRow, durationOf, type GameRow, gameNamed, priceFor } from "./store.ts";

/** The game with this name or alias. Throws `INVALID` if there is none. */
export async function knownGame(sql: Sql, name: string): Promise<GameRow> {
  const game = await gameNamed(sql, name);
  if (!game) throw unknownGame();
  return game;
}

export function unknownGame(): Refusal {
  return invalid("game", "There is no game with this name.");
}

/** The id of the game that a list is narrowed to; undefined for all games. Throws `INVALID`. */
export async function filteredGame(sql: Sql, name: string | undefined): Promise<number | undefined> {
  return name === undefined || name === "all" ? undefined : (await knownGame(sql, name)).id;
}

/** Throws `NOT_SOLD` if the game is retired. */
export function refuseRetired({ name, isRetired }: GameRow): void {
  if (isRetired === 1) throw new Refusal("NOT_SOLD", `${name} is no longer sold.`);
}

/** How orders name a duration: by its days, its id, or both. */
export interface NamedDuration {
  days?: number;
  durationId?: number;
}

/** Throws `INVALID_DAY_TIER` if there is no such duration, and `INVALID` if days and id disagree. */
export async function durationNamed(sql: Sql, { days, durationId }: NamedDuration): Promise<DurationRow> {
  if (days === undefined && durationId === undefined) throw invalid("days", "Day selection is required");
  const hours = days === undefined ? undefined : days * hoursPerDay;
  const named = durationId === undefined ? { hours: hours ?? 0 } : { id: durationId };
  const duration = await durationOf(sql, named);
  if (!duration) throw invalidTier();
  if (hours !== undefined && duration.hours !== hours) {
    throw invalid("durationId", "days and durationId name different durations");
  }
  return duration;
}

/** Throws `INVALID_DAY_TIER` if the duration is retired. */
export function refuseUnsold(duration: DurationRow | null): void {
  if (duration?.isRetired === 1) throw invalidTier();
}

function invalidTier(): Refusal {
  return new Refusal("INVALID_DAY_TIER", "Invalid day tier selected");
}

/**
 * What a reseller pays for one key, in tenths of a credit; an admin, null, pays nothing. Throws `INVALID_DAY_TIER` or
 * `NOT_SOLD`.
 */
export async function priceOnSale(
  sql: Sql,
  resellerId: number | null,
  { game, duration, deviceLimit }: { game: GameRow; duration: DurationRow; deviceLimit: number },
): Promise<number> {
  refuseUnsold(duration);
  refuseRetired(game);
  if (resellerId === null) return 0;
  const tenths = await priceFor(sql, resellerId, { gameId: game.id, durationId: duration.id, deviceLimit });
  if (tenths === null)
    throw new Refusal("NOT_SOLD", `${game.name} is not sold for ${duration.label} on so many devices.`);
  return tenths;
}
