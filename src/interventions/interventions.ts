import { type AuditedChanges, type Caller, onceFor } from "../accounts/audited-changes.ts";
import { resellerIdOf, type SessionUser } from "../accounts/schema.ts";
import { type Clock, instantIn, isoOf, isoOrNull, msPerSecond } from "../core/clock.ts";
import { nonBlank } from "../core/field.ts";
import { type FieldProblem, Refusal, refuseIfAhead, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import type { InterventionWork } from "./intervention-work.ts";
import { type Intervention, type InterventionForm, type RunningPause, scopeSentence, sinceSentence } from "./schema.ts";
import * as store from "./store.ts";

const pausesMax = 100;

/** Counting takes a second for a million keys, so the counts of many keys are kept for twenty times as long. */
const keysPerKeptSecond = 50_000;

export type Interventions = ReturnType<typeof createInterventions>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  clock: Pick<Clock, "now" | "isAhead">;
  work: Pick<InterventionWork, "wake">;
}

/** What admins do to many keys at once (rules.md: Interventions). `work` changes the keys. */
export function createInterventions({ database, changes, clock, work }: Dependencies) {
  const { now } = clock;
  /** All pauses, for admins. */
  let kept = { at: 0, ms: 0, pauses: [] as RunningPause[] };
  return {
    /** Keys that interventions hold paused: a reseller's own, for admins all. */
    async pauses(viewer: SessionUser): Promise<RunningPause[]> {
      const resellerId = viewer.role === "reseller" ? resellerIdOf(viewer) : null;
      if (resellerId === null && Math.abs(now() - kept.at) < kept.ms) return kept.pauses;
      const rows = await store.runningPauses(database.query(viewer), resellerId, pausesMax);
      const pauses = rows.map((row) => ({ ...row, at: isoOf(row.at) }));
      const keptSeconds = Math.floor(rows.reduce((sum, { keys }) => sum + keys, 0) / keysPerKeptSecond);
      if (resellerId === null) kept = { at: now(), ms: keptSeconds * msPerSecond, pauses };
      return pauses;
    },

    list: async (): Promise<Intervention[]> => (await store.listInterventions(database.read)).map(viewOf),

    /**
     * Returns how many keys it affects, and its id, or null if it only counts. Throws `INVALID`, `NOT_FOUND`,
     * `CLOCK_AHEAD` or `IDEMPOTENCY_KEY_REUSED`.
     */
    async start(admin: Caller, form: InterventionForm, idempotencyKey?: string) {
      const at = now();
      const given = { ...givenIn(form, at), reason: form.reason.trim(), madeBy: admin.id, at };
      const named = await namesOf(database.read, given);
      const { count, lastKeyId } = await store.countAffected(database.query(admin), given);
      if (form.dryRun) return { id: null, count };
      const request = { accountId: admin.id, idempotencyKey, request: form, at };
      const started = await changes.carryOut(admin, ({ sql }) => {
        refuseIfAhead(clock);
        return onceFor(sql, request, async () => {
          const id = await store.insertIntervention(sql, { ...given, count, lastKeyId });
          const { since } = given;
          const details = { ...detailsOf(given, named), count, reason: given.reason };
          const record = {
            action: "intervention_started" as const,
            target: targetOf(id),
            details: { ...details, ...(since !== null && { since: isoOf(since) }) },
          };
          return { result: { id, count }, record };
        });
      });
      work.wake();
      return started;
    },

    /**
     * Takes back what a compensation gave. One that is still running stops. Throws `NOT_FOUND`, `NOT_UNDOABLE`,
     * `ALREADY_UNDONE` or `CLOCK_AHEAD`.
     */
    async undo(admin: Caller, id: number): Promise<Intervention> {
      const undone = await changes.carryOut(admin, async ({ sql }) => {
        refuseIfAhead(clock);
        const row = await store.interventionOf(sql, id);
        if (row === null) throw new Refusal("NOT_FOUND", "There is no such intervention.");
        if (row.kind !== "compensate") throw new Refusal("NOT_UNDOABLE", "Only a compensation can be undone.");
        if (row.undoneBy !== null) {
          throw new Refusal("ALREADY_UNDONE", "This intervention has already been undone.");
        }
        await store.startUndoing(sql, id, admin.id);
        const details = detailsOf(row, await store.scopeNames(sql, row));
        return {
          result: viewOf({ ...row, state: "undoing" }),
          record: { action: "intervention_undone" as const, target: targetOf(id), details },
        };
      });
      work.wake();
      return undone;
    },
  };
}

/** Throws `INVALID`. */
function givenIn({ kind, scope, hours, since, resellerNote }: InterventionForm, at: number) {
  const problems: FieldProblem[] = [];
  const refuseIf = (isWrong: boolean, path: string, message: string) => {
    if (isWrong) problems.push({ path, message });
  };
  const { gameId = null, resellerId = null, orderId = null } = scope;
  const named = [scope.all ?? null, gameId, resellerId, orderId].filter((each) => each !== null);
  const note = nonBlank(resellerNote) ?? null;
  const isCompensation = kind === "compensate";
  const instant = since === undefined ? undefined : instantIn(since.trim());
  refuseIf(named.length !== 1, "scope", scopeSentence);
  refuseIf(isCompensation && hours === undefined, "hours", "hours is required");
  refuseIf(!isCompensation && hours !== undefined, "hours", "hours is only for compensations");
  refuseIf(!isCompensation && since !== undefined, "since", "since is only for compensations");
  refuseIf(kind !== "pause" && note !== null, "resellerNote", "resellerNote is only for pauses");
  refuseIf(instant === null, "since", sinceSentence);
  refuseIf((instant?.at ?? 0) > at, "since", "since must not be in the future");
  refuseProblems(problems);
  return { kind, gameId, resellerId, orderId, hours: hours ?? null, since: instant?.at ?? null, resellerNote: note };
}

/** Throws `NOT_FOUND`. */
async function namesOf(sql: Sql, scope: store.Scope): Promise<store.ScopeNames> {
  const names = await store.scopeNames(sql, scope);
  const { gameId, resellerId, orderId } = scope;
  if (gameId !== null && names.game === null) throw new Refusal("NOT_FOUND", "There is no such game.");
  if (resellerId !== null && names.owner === null) throw new Refusal("NOT_FOUND", "There is no such reseller.");
  if (orderId !== null && names.orderId === null) throw new Refusal("NOT_FOUND", "There is no such order.");
  return names;
}

/** How the audit log names an intervention: `intervention 3`. */
function targetOf(id: number): string {
  return `intervention ${id}`;
}

function detailsOf(
  { kind, hours, resellerId, resellerNote }: Omit<store.NewIntervention, "reason" | "madeBy" | "at">,
  { game, owner, orderId }: store.ScopeNames,
) {
  return {
    kind,
    ...(hours !== null && { hours }),
    ...(game !== null && { game }),
    ...(owner !== null && resellerId !== null && { owner, resellerId }),
    ...(orderId !== null && { orderId }),
    ...(resellerNote !== null && { resellerNote }),
  };
}

function viewOf({ id, kind, hours, since, reason, by, at, count, done, state, ...scope }: store.InterventionRow) {
  return {
    id,
    kind,
    scope: scopeView(scope),
    hours,
    since: isoOrNull(since),
    reason,
    by,
    at: isoOf(at),
    count,
    done,
    state,
  };
}

function scopeView({ gameId, resellerId, orderId }: store.Scope): Intervention["scope"] {
  if (gameId !== null) return { gameId };
  if (resellerId !== null) return { resellerId };
  return orderId === null ? { all: true } : { orderId };
}
