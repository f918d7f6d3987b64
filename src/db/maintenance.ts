import { msPerDay } from "../core/clock.ts";
import type { Database } from "./contract.ts";

/** The least pause after a batch, and how many times as long as the batch it is: maintenance takes a fifth of the time at most. */
const pauseMsMin = 10;
const pauseTimes = 4;

/**
 * Long maintenance as a row of short transactions: verifications and other writes go on in the pauses between them. No lock is held across
 * batches.
 */
export async function inBatches<Batch>(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  work: (batch: Batch) => Promise<unknown>,
): Promise<void> {
  let pauseMs = 0;
  for await (const batch of batches) {
    if (pauseMs > 0) await Bun.sleep(pauseMs);
    const startedMs = performance.now();
    await work(batch);
    pauseMs = Math.max(pauseMsMin, pauseTimes * (performance.now() - startedMs));
  }
}

/** A server that has just started serves requests first. */
const beginsAfterMs = 500;

/** Erases what is kept for some days only. */
export interface Erasure {
  /** Erases all that is too old, batch by batch. */
  eraseOld(): Promise<void>;
  /** Does so soon and once a day, in one process at a time. Returns how to stop. */
  begin(): () => void;
}

interface ErasureParts {
  database: Database;
  /** Processes that share a database know by this name that one of them is at it. */
  name: string;
  isAnyOld: () => Promise<boolean>;
  /** Erases some of it in a transaction, which other writes wait for. */
  eraseBatch: () => Promise<void>;
  onFailure: (error: unknown) => void;
}

export function createErasure({ database, name, isAnyOld, eraseBatch, onFailure }: ErasureParts): Erasure {
  let isStopping = false;

  return {
    eraseOld,
    begin() {
      const erase = () => database.exclusive(name, eraseOld).catch(onFailure);
      const first = setTimeout(erase, beginsAfterMs).unref();
      const daily = setInterval(erase, msPerDay).unref();
      return () => {
        isStopping = true;
        clearTimeout(first);
        clearInterval(daily);
      };
    },
  };

  function eraseOld(): Promise<void> {
    return inBatches(whileAnyIsOld(), eraseBatch);
  }

  async function* whileAnyIsOld(): AsyncGenerator<void> {
    while (!isStopping && (await isAnyOld())) yield;
  }
}
