import type { Acts } from "../../accounts/acts.ts";
import type { Caller } from "../../accounts/caller.ts";
import type { Entry } from "../../core/record.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Chore, Database, Sql } from "../../db/contract.ts";
import type { SelectionSlice } from "../chores.ts";

/** The first slice is written where verifications are answered, and holds them up; the others are not. Both take a few milliseconds. */
const keysInFirstSlice = 25;
const keysPerSlice = 250;

/** Ids that are asked for at once. */
const keysPerLook = 10_000;

/** What is done to each of many keys, by itself and under its own condition. */
export interface KeyByKey<Given> {
  /** Answers how many keys changed. */
  work: (sql: Sql, ids: readonly number[], given: Given) => Promise<number>;
  /** The same beside the server. */
  chore: Chore<SelectionSlice & Given, number>;
  /** At the instant of each slice. */
  given: () => Given;
  /** The next keys that are still to be changed. */
  next: (place: { after: number; limit: number }) => Promise<number[]>;
  /** Of keys that have changed; left out where nothing that changes is remembered. */
  forget?: (ids: readonly number[]) => void;
  record: Entry;
  /** Of how many it is said, where it breaks off, that so many were done: `revoked`. */
  total: number;
  done: string;
}

/**
 * Acts on many keys slice by slice, so that nobody waits long (rules.md: Selections), and answers how many changed. The row in the record is
 * written with the first slice that changes any, so no key goes without it. When the session ends meanwhile, the server stops or the disk
 * refuses, the refusal says how many keys were done; the others are as they were.
 */
export async function carryOutInSlices<Given>(
  { database, acts }: { database: Database; acts: Acts },
  caller: Caller,
  { work, chore, given, next, forget, record, total, done }: KeyByKey<Given>,
): Promise<number> {
  let changed = 0;
  try {
    for (let after = 0; ; ) {
      const ids = await next({ after, limit: keysPerLook });
      for (let from = 0; from < ids.length; ) {
        const slice = ids.slice(from, from + (changed === 0 ? keysInFirstSlice : keysPerSlice));
        changed += await (changed === 0 ? recorded(slice) : aside(slice));
        from += slice.length;
      }
      if (ids.length < keysPerLook) return changed;
      after = ids.at(-1) as number;
    }
  } catch (error) {
    if (changed === 0 || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `${changed} of ${total} keys were ${done}, the others were not. ${error.message}`);
  }

  function recorded(ids: readonly number[]): Promise<number> {
    const changing = acts.carryOut(caller, async (sql) => {
      const result = await work(sql, ids, given());
      return { result, record: result > 0 ? record : null };
    });
    return changing.finally(() => forget?.(ids));
  }

  function aside(ids: readonly number[]): Promise<number> {
    return database.aside(chore, { ...given(), ids, sessionId: caller.sessionId }, () => forget?.(ids));
  }
}
