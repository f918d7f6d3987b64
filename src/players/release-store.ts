import { msPerDay } from "../core/clock.ts";
import { part, type Sql } from "../db/contract.ts";
import type { Closed, ReleasePolicy } from "./schema.ts";

/** A key with what decides whether its devices may be freed. */
export interface ReleasableKey extends ReleasePolicy {
  id: number;
  resellerId: number | null;
  game: string;
  maintenance: string | null;
  deviceLimit: number;
  expiresAt: number;
  durationHours: number | null;
  pausedAt: number | null;
  revokedAt: number | null;
  replacedBy: number | null;
}

/** The game's key with this normal form. */
export async function keyOfGame(
  sql: Sql,
  normalForm: string,
  gameId: number,
): Promise<{ id: number; resellerId: number | null } | null> {
  const [row] = await sql<{ id: number; resellerId: number | null }>`
    SELECT k.id, k.reseller_id AS "resellerId" FROM license_keys k
    WHERE k.normal_form = ${normalForm} AND k.game_id = ${gameId}`;
  return row ?? null;
}

/** The key with this normal form, of any game. */
export async function keyWithText(sql: Sql, normalForm: string): Promise<ReleasableKey | null> {
  const [row] = await sql<Omit<ReleasableKey, "isAllowed"> & { isAllowed: number }>`
    SELECT k.id, k.reseller_id AS "resellerId", g.name AS game, g.maintenance, k.device_limit AS "deviceLimit", k.expires_at AS "expiresAt",
      k.duration_hours AS "durationHours", k.paused_at AS "pausedAt", k.revoked_at AS "revokedAt",
      k.replaced_by AS "replacedBy",
      g.release_is_allowed AS "isAllowed", g.release_cooldown_hours AS "cooldownHours",
      g.release_per_thirty_days AS "perThirtyDays", g.release_idle_days AS "idleDays"
    FROM license_keys k JOIN games g ON g.id = k.game_id WHERE k.normal_form = ${normalForm}`;
  return row ? { ...row, isAllowed: row.isAllowed === 1 } : null;
}

/** The instants at which players freed a device of this key, newest first: those that a policy counts. */
export async function releasesSince(
  sql: Sql,
  { id, perThirtyDays }: Pick<ReleasableKey, "id" | "perThirtyDays">,
  since: number,
): Promise<number[]> {
  const rows = await sql<{ at: number }>`
    SELECT created_at AS at FROM key_events
    WHERE key_id = ${id} AND what = 'DEVICE_RELEASED' AND created_at > ${since}
    ORDER BY created_at DESC LIMIT ${perThirtyDays}`;
  return rows.map(({ at }) => at);
}

/**
 * When the game of a key was under maintenance, and when the key was paused. Of pauses, what tells which days from
 * `since` on were closed.
 */
export async function closedTimesOf(sql: Sql, keyId: number, since: number): Promise<Closed[]> {
  const maintenance = await sql<Closed>`
    SELECT m.began_at AS "beganAt", m.ended_at AS "endedAt"
    FROM game_maintenance m JOIN license_keys k ON k.game_id = m.game_id WHERE k.id = ${keyId}`;
  return [...maintenance, ...(await pausesOf(sql, keyId, since))];
}

/**
 * Reads the last pause or resumption of each day, so that a key that was paused 200 times a day costs no more than one
 * that was paused once a day. The last one before `since` tells whether the key was paused then.
 */
async function pausesOf(sql: Sql, keyId: number, since: number): Promise<Closed[]> {
  const ofKey = part`e.key_id = ${keyId} AND e.what IN ('PAUSED', 'RESUMED')`;
  const lasts = await sql<{ at: number; what: string }>`
    WITH RECURSIVE lasts (at) AS (
      SELECT CAST(${endOfTime} AS BIGINT)
      UNION ALL SELECT (
        SELECT e.created_at FROM key_events e WHERE ${ofKey} AND e.created_at < l.at - l.at % ${msPerDay}
        ORDER BY e.created_at DESC LIMIT 1)
      FROM lasts l WHERE l.at >= ${since})
    SELECT l.at, (
      SELECT e.what FROM key_events e WHERE ${ofKey} AND e.created_at = l.at ORDER BY e.id DESC LIMIT 1) AS what
    FROM lasts l WHERE l.at < ${endOfTime} ORDER BY l.at`;
  return lasts.map(({ at, what }, place) => {
    return { beganAt: at, endedAt: what === "PAUSED" ? (lasts[place + 1]?.at ?? null) : at };
  });
}

/** Later than every event. */
const endOfTime = Number.MAX_SAFE_INTEGER;
