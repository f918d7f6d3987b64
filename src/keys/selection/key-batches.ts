import type { AuditedChanges, Caller } from "../../accounts/audited-changes.ts";
import type { Entry } from "../../core/audit-entry.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Unit } from "../../db/contract.ts";
import { inBatches } from "../../db/maintenance.ts";

/** Each key takes three statements, so a batch blocks the server for 2 to 3 ms. */
const keysPerBatch = 25;

/** Ids that one query reads. */
const keysPerLook = 10_000;

/** A change to many keys, each under its own condition. */
export interface KeyByKey {
  /** Returns how many keys changed. */
  work: (unit: Unit, ids: readonly number[]) => Promise<number>;
  /** Returns the next keys to change. */
  next: (place: { after: number; limit: number }) => Promise<number[]>;
  record: Entry;
  /** For the refusal after an interruption: `3 of {total} keys were {done}`. */
  total: number;
  done: string;
}

/**
 * Changes many keys batch by batch, so that no request waits long (rules.md: Selections), and returns how many changed.
 * The audit entry is written with the first batch that changes any, so no key changes without it. Each batch checks the
 * session again. If the session ends meanwhile, the server stops or the disk refuses, the refusal says how many keys
 * were done; the others are as they were.
 */
export async function changeInBatches(
  changes: AuditedChanges,
  caller: Caller,
  { work, next, record, total, done }: KeyByKey,
): Promise<number> {
  let changed = 0;
  try {
    await inBatches(batchesOf(next), async (ids) => {
      const isFirst = changed === 0;
      changed += await changes.carryOut(
        caller,
        async (unit) => {
          const result = await work(unit, ids);
          return { result, record: isFirst && result > 0 ? record : null };
        },
        { isCounted: isFirst },
      );
    });
    return changed;
  } catch (error) {
    if (changed === 0 || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `${changed} of ${total} keys were ${done}, the others were not. ${error.message}`);
  }
}

async function* batchesOf(next: KeyByKey["next"]): AsyncGenerator<number[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const ids: number[] = await next({ after, limit: keysPerLook });
    for (let from = 0; from < ids.length; from += keysPerBatch) yield ids.slice(from, from + keysPerBatch);
    after = ids.length < keysPerLook ? undefined : ids.at(-1);
  }
}
