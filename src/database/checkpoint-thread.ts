import { parentPort, workerData } from "node:worker_threads";
import { connect } from "./connection.ts";

/** What the thread is told: to write the log back, and to let go of the file. */
export type CheckpointOrder = "checkpoint" | "close";

export interface CheckpointData {
  file: string;
}

/** What it answers: how many pages of the log came during its last round, or are held by somebody who reads. */
export interface CheckpointReport {
  pagesLeft: number;
}

/** So few are left to the last round, for which commits wait: the log can begin anew only where nothing is left at all. */
export const pagesOfLastRoundMax = 300;

/** While the log is written back it grows by less than that; so each round has less to do than the one before. */
const roundsMax = 8;

/** The whole of the thread: it carries out what `checkpoints.ts` orders. */
export function answerCheckpoints(): void {
  const { file } = workerData as CheckpointData;
  const connection = connect(file);
  const checkpoint = connection.prepare<{ busy: number; log: number; checkpointed: number }, []>(
    "PRAGMA wal_checkpoint(PASSIVE)",
  );

  parentPort?.on("message", (order: CheckpointOrder) => {
    if (order === "checkpoint") {
      parentPort?.postMessage({ pagesLeft: writeBack() } satisfies CheckpointReport);
      return;
    }
    checkpoint.finalize();
    connection.close();
    parentPort?.close();
  });

  /** What SQLite calls the log is what stood in it when a round began: what came meanwhile shows only in the next one. */
  function writeBack(): number {
    let pagesLeft = Number.POSITIVE_INFINITY;
    let written = 0;
    for (let round = 0; round < roundsMax; round += 1) {
      const { log = 0, checkpointed = 0 } = checkpoint.get() ?? {};
      const isStuck = checkpointed <= written;
      pagesLeft = log - Math.min(written, checkpointed);
      written = checkpointed;
      if (isStuck || pagesLeft <= pagesOfLastRoundMax) break;
    }
    return pagesLeft;
  }
}
