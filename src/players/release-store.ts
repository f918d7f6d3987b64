import type { Sql } from "../db/contract.ts";
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
      g.release_is_allowed AS "isAllowed", g.release_cooldown_hours AS "cooldownHours",
      g.release_per_thirty_days AS "perThirtyDays", g.release_idle_days AS "idleDays"
    FROM license_keys k JOIN games g ON g.id = k.game_id WHERE k.normal_form = ${normalForm}`;
  return row ? { ...row, isAllowed: row.isAllowed === 1 } : null;
}

/** The instants at which players freed a device of this key, newest first. */
export async function releasesSince(sql: Sql, keyId: number, since: number): Promise<number[]> {
  const rows = await sql<{ at: number }>`
    SELECT created_at AS at FROM key_events
    WHERE key_id = ${keyId} AND what = 'DEVICE_RELEASED' AND created_at > ${since} ORDER BY id DESC`;
  return rows.map(({ at }) => at);
}

/** When the game of a key was under maintenance, and when the key was paused. */
export async function closedTimesOf(sql: Sql, keyId: number): Promise<Closed[]> {
  const maintenance = await sql<Closed>`
    SELECT m.began_at AS "beganAt", m.ended_at AS "endedAt"
    FROM game_maintenance m JOIN license_keys k ON k.game_id = m.game_id WHERE k.id = ${keyId}`;
  const pauses = await sql<{ what: string; at: number }>`
    SELECT what, created_at AS at FROM key_events WHERE key_id = ${keyId} AND what IN ('PAUSED', 'RESUMED') ORDER BY id`;
  return [...maintenance, ...pausesOf(pauses)];
}

/** A take-over adds a second `PAUSED`, which begins no new pause. */
function pausesOf(events: readonly { what: string; at: number }[]): Closed[] {
  const pauses: Closed[] = [];
  for (const { what, at } of events) {
    const last = pauses.at(-1);
    const isPaused = last !== undefined && last.endedAt === null;
    if (what === "RESUMED" && isPaused) last.endedAt = at;
    if (what === "PAUSED" && !isPaused) pauses.push({ beganAt: at, endedAt: null });
  }
  return pauses;
}
