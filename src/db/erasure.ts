import { msPerDay } from "../core/clock.ts";
import type { Database } from "./contract.ts";

/** After a start the server answers first. */
const beginsAfterMs = 500;

/** Between two slices, so that verifications and other writers take their turn. */
const pauseMs = 15;

/** Lets go of what is kept for some days only. */
export interface Erasure {
  /** Erases all that is too old, slice by slice. */
  eraseOld(): Promise<void>;
  /** Does so soon and once a day, in one process at a time. Answers how to stop. */
  begin(): () => void;
}

interface ErasureParts {
  database: Database;
  /** By which processes that share a database know that it is being done. */
  name: string;
  isAnyOld: () => Promise<boolean>;
  /** Erases some of it, in a transaction of its own, so that who writes meanwhile waits for no more than that. */
  eraseSlice: () => Promise<void>;
  onFailure: (error: unknown) => void;
}

export function createErasure({ database, name, isAnyOld, eraseSlice, onFailure }: ErasureParts): Erasure {
  let isStopping = false;

  return {
    eraseOld,
    begin() {
      const erase = () => database.alone(name, eraseOld).catch(onFailure);
      const first = setTimeout(erase, beginsAfterMs).unref();
      const daily = setInterval(erase, msPerDay).unref();
      return () => {
        isStopping = true;
        clearTimeout(first);
        clearInterval(daily);
      };
    },
  };

  async function eraseOld(): Promise<void> {
    while (!isStopping && (await isAnyOld())) {
      await eraseSlice();
      await Bun.sleep(pauseMs);
    }
  }
}
