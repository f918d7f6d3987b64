import { gameNameOf } from "../catalogue/model.ts";
import { listed, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import { hasStatus, isOpen } from "../keys/model.ts";
import type { InterventionKind, InterventionState, RunningPause } from "./schema.ts";

/** Which keys an intervention looks at: all of them if every field is null. */
export interface Scope {
  gameId: number | null;
  resellerId: number | null;
  orderId: number | null;
}

export interface NewIntervention extends Scope {
  kind: InterventionKind;
  hours: number | null;
  since: number | null;
  reason: string;
  resellerNote: string | null;
  madeBy: number;
  at: number;
}

export interface InterventionRow extends NewIntervention {
  id: number;
  by: string;
  count: number;
  done: number;
  state: InterventionState;
  undoneBy: number | null;
  /** The newest key when it began. */
  lastKeyId: number;
  /** The last key that was looked at; 0 at the beginning of the work and of its undoing. */
  reachedKeyId: number;
}

const columns = part`i.id, i.kind, i.game_id AS "gameId", i.reseller_id AS "resellerId", i.order_id AS "orderId", i.hours,
  i.since_at AS since, i.given_reason AS reason, i.reseller_note AS "resellerNote", i.made_by AS "madeBy", a.username AS by, i.created_at AS at,
  i.key_count AS count, i.done_count AS done, i.state, i.undone_by AS "undoneBy", coalesce(i.last_key_id, 0) AS "lastKeyId",
  coalesce(i.reached_key_id, 0) AS "reachedKeyId"`;

/** Newest first. */
export function listInterventions(sql: Sql): Promise<InterventionRow[]> {
  return sql<InterventionRow>`
    SELECT ${columns} FROM interventions i JOIN accounts a ON a.id = i.made_by ORDER BY i.id DESC`;
}

export async function interventionOf(sql: Sql, id: number): Promise<InterventionRow | null> {
  const [row] = await sql<InterventionRow>`
    SELECT ${columns} FROM interventions i JOIN accounts a ON a.id = i.made_by WHERE i.id = ${id}`;
  return row ?? null;
}

/** The oldest one that still has keys to change. */
export async function nextUnfinished(sql: Sql): Promise<InterventionRow | null> {
  const [row] = await sql<InterventionRow>`
    SELECT ${columns} FROM interventions i JOIN accounts a ON a.id = i.made_by
    WHERE i.state IN ('running', 'undoing') ORDER BY i.id LIMIT 1`;
  return row ?? null;
}

type PauseRow = Omit<RunningPause, "at"> & { at: number };

export interface ScopeNames {
  game: string | null;
  owner: string | null;
  orderId: number | null;
}

/** What the scope names; null for what does not exist. */
export async function scopeNames(sql: Sql, { gameId, resellerId, orderId }: Scope): Promise<ScopeNames> {
  const [row] = await sql<ScopeNames>`
    SELECT (SELECT name FROM games WHERE id = ${gameId}) AS game,
      (SELECT a.username FROM accounts a JOIN resellers r ON r.id = a.id WHERE a.id = ${resellerId}) AS owner,
      (SELECT id FROM orders WHERE id = ${orderId}) AS "orderId"`;
  return row as ScopeNames;
}

/** It concerns no key that was made after they were counted. */
export async function insertIntervention(sql: Sql, given: NewIntervention & Affected): Promise<number> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO interventions (kind, game_id, reseller_id, order_id, hours, since_at, given_reason, reseller_note, made_by,
      created_at, key_count, last_key_id, state)
    VALUES (${given.kind}, ${given.gameId}, ${given.resellerId}, ${given.orderId}, ${given.hours}, ${given.since},
      ${given.reason}, ${given.resellerNote}, ${given.madeBy}, ${given.at}, ${given.count}, ${given.lastKeyId}, 'running')
    RETURNING id`;
  return (row as { id: number }).id;
}

/** The parts of an intervention that decide which keys it changes. */
type Affecting = Omit<NewIntervention, "reason" | "resellerNote" | "madeBy">;

/** A condition on `license_keys AS k`: whether it is to be changed at the instant `now`. */
function isAffected({ at, since, ...intervention }: Affecting, now: number): SqlPart {
  const scope = part`k.created_at <= ${at} ${inScope(intervention)}`;
  if (intervention.kind === "pause") return part`${scope} AND ${hasStatus("ACTIVE", now)}`;
  if (intervention.kind === "resume") return part`${scope} AND k.revoked_at IS NULL AND k.paused_in_id IS NOT NULL`;
  // Keys that have expired while others were compensated are not left out.
  return part`${scope} AND k.started_at <= ${at} AND ${isOpen(Math.min(at, since ?? at))}`;
}

function inScope({ gameId, resellerId, orderId }: Scope): SqlPart {
  if (gameId !== null) return part`AND k.game_id = ${gameId}`;
  if (resellerId !== null) return part`AND k.reseller_id = ${resellerId}`;
  return orderId === null ? nothing : part`AND k.order_id = ${orderId}`;
}

export interface Affected {
  count: number;
  /** The last key that there was; null if there was none. */
  lastKeyId: number | null;
}

export async function countAffected(sql: Sql, intervention: Affecting): Promise<Affected> {
  const [row] = await sql<Affected>`
    SELECT count(*) AS count, (SELECT max(id) FROM license_keys) AS "lastKeyId"
    FROM license_keys k WHERE ${isAffected(intervention, intervention.at)}`;
  return row as Affected;
}

/** The next keys to be changed, in the order of their ids. */
export async function nextAffected(
  sql: Sql,
  intervention: InterventionRow,
  { after, now, rowsMax }: { after: number; now: number; rowsMax: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k
    WHERE k.id > ${after} AND k.id <= ${intervention.lastKeyId} AND ${isAffected(intervention, now)}
    ORDER BY k.id LIMIT ${rowsMax}`;
  return rows.map(({ id }) => id);
}

/** Those of these keys that are still to be changed. */
export async function stillAffected(sql: Sql, intervention: InterventionRow, ids: readonly number[], now: number) {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k WHERE k.id IN (${listed(ids)}) AND ${isAffected(intervention, now)} ORDER BY k.id`;
  return rows.map(({ id }) => id);
}

/** The next keys that a compensation changed. */
export async function nextCompensated(
  sql: Sql,
  id: number,
  { after, rowsMax }: { after: number; rowsMax: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT e.key_id AS id FROM key_events e
    WHERE e.intervention_id = ${id} AND e.key_id > ${after} AND e.amount > 0 ORDER BY e.key_id LIMIT ${rowsMax}`;
  return rows.map(({ id: keyId }) => keyId);
}

/** Those of these keys that still have what the compensation gave: they are not revoked, and not renewed since. */
export async function stillCompensated(sql: Sql, id: number, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k
      JOIN key_events e ON e.key_id = k.id AND e.intervention_id = ${id} AND e.amount > 0
    WHERE k.id IN (${listed(ids)}) AND k.revoked_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM key_events r WHERE r.key_id = k.id AND r.id > e.id AND r.is_renewal = 1)
    ORDER BY k.id`;
  return rows.map(({ id: keyId }) => keyId);
}

/** Remembers how far it has come. `done` is how many more keys were changed, or negative as it is undone. */
export async function advance(sql: Sql, id: number, { reached, done }: { reached: number; done: number }) {
  await sql`
    UPDATE interventions SET reached_key_id = ${reached}, done_count = done_count + ${done} WHERE id = ${id}`;
}

/** Ends the work, or its undoing. */
export async function finish(sql: Sql, { id, state }: Pick<InterventionRow, "id" | "state">): Promise<void> {
  const finished = state === "running" ? "finished" : "undone";
  await sql`UPDATE interventions SET state = ${finished} WHERE id = ${id} AND state = ${state}`;
}

/** Of one reseller's keys, or of all. Newest first. */
export function runningPauses(sql: Sql, resellerId: number | null, rowsMax: number): Promise<PauseRow[]> {
  const own = resellerId === null ? nothing : part`AND k.reseller_id = ${resellerId}`;
  return sql<PauseRow>`
    SELECT p.id AS "interventionId", ${gameNameOf(part`p.game_id`)} AS game, i.created_at AS at, p.keys, i.reseller_note AS "resellerNote"
    FROM (
      SELECT k.paused_in_id AS id, k.game_id, count(*) AS keys FROM license_keys k
      WHERE k.paused_in_id IS NOT NULL AND k.revoked_at IS NULL ${own}
      GROUP BY k.paused_in_id, k.game_id ORDER BY k.paused_in_id DESC, k.game_id LIMIT ${rowsMax}) p
    JOIN interventions i ON i.id = p.id ORDER BY p.id DESC, p.game_id`;
}

export async function startUndoing(sql: Sql, id: number, undoneBy: number): Promise<void> {
  await sql`
    UPDATE interventions SET state = 'undoing', undone_by = ${undoneBy}, reached_key_id = NULL WHERE id = ${id}`;
}
