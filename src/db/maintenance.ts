import { msPerDay } from "../core/clock.ts";
import type { Database } from "./contract.ts";

/**
 * The pause after a batch is at least four times as long as the batch, so maintenance takes at most a fifth of the
 * time.
 */
const pauseMsMin = 10;
const pauseTimes = 4;

/** A command has no requests of its own that wait meanwhile, so it may work for half of the time. */
export const pauseTimesOfCommand = 1;

/**
 * Runs long maintenance in batches of short transactions with pauses, in which other writes continue. No lock is held
 * across batches.
 */
export async function inBatches<Batch>(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  work: (batch: Batch) => Promise<unknown>,
  times = pauseTimes,
): Promise<void> {
  let pauseMs = 0;
  for await (const batch of batches) {
    if (pauseMs > 0) await Bun.sleep(pauseMs);
    const startedMs = performance.now();
    await work(batch);
    pauseMs = Math.max(pauseMsMin, times * (performance.now() - startedMs));
  }
}

/** A server that has just started handles requests first. */
const beginsAfterMs = 500;

export type Erasure = ReturnType<typeof createErasure>;

/** Erases data after its retention period. */
export function createErasure({
  database,
  name,
  isAnyOld,
  eraseBatch,
  onFailure,
}: {
  database: Database;
  /** Only one of the processes that share a database runs the job of this name at a time. */
  name: string;
  isAnyOld: () => Promise<boolean>;
  /** Erases one batch in one transaction, for which other writes wait. */
  eraseBatch: () => Promise<void>;
  onFailure: (error: unknown) => void;
}) {
  let isStopping = false;

  return {
    /** Erases everything that has expired, batch by batch. */
    eraseOld,
    /** Erases soon and then once a day. Returns how to stop. */
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
    return inBatches(expiredBatches(), eraseBatch);
  }

  async function* expiredBatches(): AsyncGenerator<void> {
    while (!isStopping && (await isAnyOld())) yield;
  }
}
