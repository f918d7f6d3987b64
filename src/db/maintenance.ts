import { msPerDay, msPerSecond } from "../core/clock.ts";
import type { Database } from "./contract.ts";

/**
 * The pause after a batch is at least four times as long as the batch, so maintenance takes at most a fifth of the
 * time.
 */
const pauseMsMin = 10;
const pauseTimes = 4;

/** A command serves no requests, so it may work for half of the time. */
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

/** What another process of the database left, or what failed, is continued within this time. */
const lookAgainMs = 10 * msPerSecond;

/** Work that is stored in the database, and that a server or a command continues until nothing is left. */
export function createStoredWork({
  database,
  name,
  isAnyLeft,
  finishAll,
  onFailure,
}: {
  database: Database;
  /** Only one of the processes that share a database runs the work of this name at a time. */
  name: string;
  isAnyLeft: () => Promise<boolean>;
  /** Returns early once `isStopping` is true. */
  finishAll: () => Promise<void>;
  onFailure: (error: unknown) => void;
}) {
  let isStopping = false;
  const run = coalesced(async () => {
    if (await isAnyLeft()) await database.exclusive(name, finishAll);
  });
  const wake = () => {
    run().catch((error) => {
      if (!isStopping) onFailure(error);
    });
  };

  return {
    /** Finishes all that is left, unless another process is doing so. */
    run,
    /** The same in the background. */
    wake,
    isStopping: () => isStopping,
    /** Continues soon, and looks again every 10 s. Returns how to stop. */
    begin() {
      const first = setTimeout(wake, beginsAfterMs).unref();
      const again = setInterval(wake, lookAgainMs).unref();
      return () => {
        isStopping = true;
        clearTimeout(first);
        clearInterval(again);
      };
    },
  };
}

/** Runs `work` once at a time, and once more if it was called meanwhile. Each call waits for all of that. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | null = null;

  return () => {
    isWanted = true;
    running ??= runAll();
    return running;
  };

  async function runAll(): Promise<void> {
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      running = null;
    }
  }
}

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
