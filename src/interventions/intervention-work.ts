import { getLogger } from "@logtape/logtape";
import type { Clock } from "../core/clock.ts";
import type { Database, Unit } from "../db/contract.ts";
import { createStoredWork, inBatches } from "../db/maintenance.ts";
import { addToHistory } from "../facts/history-store.ts";
import { type NewEvent, recordEvents } from "../facts/outbox-store.ts";
import type { Pauses } from "../keys/life/pause.ts";
import { addHours, pauseKeys, resumeKeys } from "../keys/life/store.ts";
import * as store from "./store.ts";

const log = getLogger(["latchkey", "interventions"]);

/** Keys that one transaction changes. It takes 1 to 2 ms, for which other writes wait. */
const keysPerBatch = 100;

/** Keys that one query finds. */
const keysPerLook = 2_000;

export type InterventionWork = ReturnType<typeof createInterventionWork>;

interface Dependencies {
  database: Database;
  clock: Pick<Clock, "now" | "isAhead">;
  endUsedUpPauses: Pauses["endUsedUp"];
}

/**
 * Changes the keys of interventions, one intervention after another (rules.md: Interventions). How far each has come
 * is written in the transaction that changes the keys, so after a crash it continues there, and handles each key once.
 */
export function createInterventionWork({ database, clock, endUsedUpPauses }: Dependencies) {
  const { now, isAhead } = clock;
  const { run, wake, begin, isStopping } = createStoredWork({
    database,
    name: "interventions",
    isAnyLeft: async () => (await next()) !== null,
    finishAll,
    onFailure: (error) => log.error("An intervention could not continue, and is tried again: {error}", { error }),
  });
  return { run, wake, begin };

  async function finishAll(): Promise<void> {
    for (let each = await next(); each !== null; each = await next()) await workOn(each);
  }

  /** While the clock is ahead, no key gets a time by it. */
  function next(): Promise<store.InterventionRow | null> {
    return isStopping() || isAhead() ? Promise.resolve(null) : store.nextUnfinished(database.read);
  }

  /** Returns early if the intervention is stopped, for example because it is undone. */
  async function workOn(intervention: store.InterventionRow): Promise<void> {
    let isStopped = false;
    const batches = batchesOf(intervention, () => isStopped || isStopping() || isAhead());
    await inBatches(batches, async (ids) => {
      isStopped = !(await database.transaction(null, (unit) => changeBatch(unit, intervention, ids)));
    });
  }

  async function* batchesOf(intervention: store.InterventionRow, isOver: () => boolean): AsyncGenerator<number[]> {
    const query = database.query({ id: intervention.madeBy, role: "admin" });
    for (let after = intervention.reachedKeyId; ; ) {
      await endUsedUpPauses();
      const place = { after, rowsMax: keysPerLook };
      const ids = await (intervention.state === "running"
        ? store.nextAffected(query, intervention, { ...place, now: now() })
        : store.nextCompensated(query, intervention.id, place));
      // Without keys the last batch only ends the work.
      for (let from = 0; from < Math.max(1, ids.length); from += keysPerBatch) {
        if (isOver()) return;
        yield ids.slice(from, from + keysPerBatch);
      }
      after = ids.at(-1) ?? after;
      if (ids.length === 0) return;
    }
  }

  /** Changes the next keys, or ends the work if there are none. Returns false if the work is no longer to be done. */
  async function changeBatch(unit: Unit, { id, state }: store.InterventionRow, ids: number[]): Promise<boolean> {
    const { sql } = unit;
    const current = await store.interventionOf(sql, id);
    if (current === null || current.state !== state) return false;
    const [first, last] = [ids.at(0), ids.at(-1)];
    if (first === undefined || last === undefined) {
      await store.finish(sql, current);
      if (state === "running") await recordEvents(sql, [interventionDone(current, now())]);
      return true;
    }
    // Another process may have come further meanwhile.
    if (current.reachedKeyId >= first) return false;
    const done = await (state === "running" ? affect(unit, current, ids) : takeBack(unit, current, ids));
    await store.advance(sql, id, { reached: last, done });
    return true;
  }

  async function affect(unit: Unit, intervention: store.InterventionRow, ids: number[]): Promise<number> {
    const { id, kind, hours, madeBy } = intervention;
    const at = now();
    const affected = await store.stillAffected(unit.sql, intervention, ids, at);
    if (kind === "pause") await pauseKeys(unit, affected, { at, interventionId: id });
    else if (kind === "resume") await resumeKeys(unit, affected, at);
    else await addHours(unit, affected, hours ?? 0);
    const amount = kind === "compensate" ? { amount: hours ?? 0 } : {};
    await addToHistory(unit.sql, { what: historyOf[kind], ids: affected, madeBy, at, interventionId: id, ...amount });
    return affected.length;
  }

  /** Returns a negative number: as many fewer keys have what the compensation gave. */
  async function takeBack(unit: Unit, { id, hours, undoneBy }: store.InterventionRow, ids: number[]): Promise<number> {
    const compensated = await store.stillCompensated(unit.sql, id, ids);
    const amount = -(hours ?? 0);
    await addHours(unit, compensated, amount);
    const undone = { madeBy: undoneBy, at: now(), interventionId: id, amount };
    await addToHistory(unit.sql, { what: "COMPENSATED", ids: compensated, ...undone });
    return -compensated.length;
  }
}

const historyOf = { pause: "PAUSED", resume: "RESUMED", compensate: "COMPENSATED" } as const;

/** Taking a compensation back is none. */
function interventionDone({ resellerId, orderId, done }: store.InterventionRow, at: number): NewEvent {
  const data = { count: done, ...(orderId !== null && { orderId }) };
  return { type: "intervention.done", resellerId, at, data };
}
