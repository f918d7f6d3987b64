import { fdatasyncSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { giveWay } from "../../core/thread.ts";
import { connect } from "../connection.ts";

/** What the thread is told: to write the log back, and to let go of the file. */
export type CheckpointOrder = "checkpoint" | "close";

export interface CheckpointData {
  file: string;
  /** Of the file, opened elsewhere, and closed there once no connection needs its locks. */
  descriptor: number;
}

export interface CheckpointReport {
  /** The log is so large that it should begin anew, and so little of it is left that commits may wait for that. */
  isLastRoundDue: boolean;
}

/**
 * From 94 MiB on the log is to begin anew, which needs all of it on the disk in the file: the rarer that is, the more of the pages that were written
 * again meanwhile are written to the disk once. While nobody writes it begins anew by itself.
 */
const logPagesMin = 24_000;

/** So few are left to the last round, for which commits wait: the log can begin anew only where nothing is left at all. */
const pagesOfLastRoundMax = 1_000;

/** So few are worth no further round before it. */
const pagesOfLastRoundMin = 200;

/** While the log is written back it grows by less than that; so each round has less to do than the one before. */
const roundsMax = 8;

/** The whole of the thread: it carries out what `checkpoints.ts` orders. */
export function answerCheckpoints(): void {
  const { file, descriptor } = workerData as CheckpointData;
  giveWay();
  const connection = connect(file);
  const checkpoint = connection.prepare<{ busy: number; log: number; checkpointed: number }, []>(
    "PRAGMA wal_checkpoint(PASSIVE)",
  );

  parentPort?.on("message", (order: CheckpointOrder) => {
    if (order === "checkpoint") {
      parentPort?.postMessage({ isLastRoundDue: writeBack() } satisfies CheckpointReport);
      return;
    }
    checkpoint.finalize();
    connection.close();
    parentPort?.close();
  });

  /** Answers whether the last round is due. What SQLite calls the log is what stood in it when a round began: what came meanwhile shows only in the next one. */
  function writeBack(): boolean {
    let written = 0;
    let isLittle = false;
    for (let round = 0; round < roundsMax; round += 1) {
      const { log = 0, checkpointed = 0 } = checkpoint.get() ?? {};
      if (log < logPagesMin) return false;
      const isStuck = checkpointed <= written;
      const pagesLeft = log - Math.min(written, checkpointed);
      written = checkpointed;
      isLittle = pagesLeft <= pagesOfLastRoundMax;
      if (isStuck || pagesLeft <= pagesOfLastRoundMin) return isLittle;
      // First all that was written back since the log began, then what came during the flush before.
      if (isLittle || round === 0) flush();
    }
    return isLittle;
  }

  /**
   * SQLite itself does so only in a round during which nobody commits: in the last one, and everybody who writes would wait until what has been
   * written since the latest flush is on the disk. What fails here that fsync of SQLite's own is told of, too.
   */
  function flush(): void {
    try {
      fdatasyncSync(descriptor);
    } catch {}
  }
}
