import { part, type Sql, type SqlPart, type Unit } from "../../db/contract.ts";
import { changeTimes } from "./time-store.ts";

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

interface Change {
  madeBy: number;
  at: number;
  interventionId?: number;
}

/** Pauses ACTIVE keys. Only a reseller's pause has an end. */
export function pauseKeys(
  unit: Unit,
  ids: readonly number[],
  { endsAt = null, ...change }: Change & { endsAt?: number | null },
) {
  const { at, interventionId = null } = change;
  const paused = part`paused_at = ${at}, pause_ends_at = ${endsAt}, paused_in_id = ${interventionId}`;
  return changeTimes(unit, ids, paused, { what: "PAUSED", ...change });
}

/** Turns a reseller's pause into an admin's. From then on it does not use the reseller's days. */
export function takeOverPause(unit: Unit, id: number, change: Change) {
  const taken = part`pause_used_ms = ${usedBy(part`${change.at}`)}, pause_ends_at = NULL`;
  return changeTimes(unit, [id], taken, { what: "PAUSED", ...change });
}

/** Resumes PAUSED keys. Each gets back exactly the time that it was paused. */
export function resumeKeys(unit: Unit, ids: readonly number[], change: Change) {
  return changeTimes(unit, ids, resumedAt(part`${change.at}`), { what: "RESUMED", ...change });
}

/** The keys whose reseller has no days left for their pause, those first whose days ended first. */
export async function usedUpPauses(
  sql: Sql,
  at: number,
  only: { rowsMax: number } | { id: number },
): Promise<number[]> {
  const which = "id" in only ? part`AND k.id = ${only.id}` : part`ORDER BY k.pause_ends_at LIMIT ${only.rowsMax}`;
  const rows = await sql<{ id: number }>`SELECT k.id FROM license_keys k WHERE k.pause_ends_at <= ${at} ${which}`;
  return rows.map(({ id }) => id);
}

/** Resumes each of these keys at the end of its pause, whenever that was. */
export function endPauses(unit: Unit, ids: readonly number[]) {
  const at = part`k.pause_ends_at`;
  return changeTimes(unit, ids, resumedAt(at), { what: "RESUMED", madeBy: null, at });
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
