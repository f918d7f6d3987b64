import type { Database as Connection } from "bun:sqlite";
import { getLogger } from "@logtape/logtape";
import { createThread } from "../thread.ts";
import {
  type CheckpointData,
  type CheckpointOrder,
  type CheckpointReport,
  pagesLeftToWriterMax,
} from "./checkpoint-thread.ts";

const log = getLogger(["latchkey", "database"]);

/** A new device is a unit and leaves two to four pages in the log. */
const unitsPerCheckpoint = 500;

/** Where the thread does not keep up, or is dead: past so many pages (64 MiB) a commit writes the log back itself, and all wait for it. */
const logPagesMax = 16_000;

const closeMsMax = 2_000;

/**
 * Writes SQLite's log back to its file. By itself SQLite does so in every so many commits, on the thread that answers everybody: with a million
 * keys that was a fifth of the time of new devices, and the longest waits. Here a thread does it beside them, and the writer only what came
 * meanwhile.
 */
export interface Checkpoints {
  /** Is told of each commit, when it is over. */
  committed(units: number): void;
  close(msMax: number): Promise<void>;
}

export function createCheckpoints({
  file,
  writer,
  program,
}: {
  file: string;
  writer: Connection;
  program: URL;
}): Checkpoints {
  writer.run(`PRAGMA wal_autocheckpoint = ${logPagesMax}`);
  const checkpoint = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let unitsSince = 0;
  let isUnderWay = false;
  let isLeftToWriter = false;
  const thread = createThread<CheckpointOrder, CheckpointReport>({
    program,
    data: { file } satisfies CheckpointData,
    onTold({ pagesLeft }) {
      isUnderWay = false;
      isLeftToWriter = pagesLeft <= pagesLeftToWriterMax;
    },
    onDeath(cause) {
      log.error("The thread that writes the log back has died: {cause}", { cause });
      isUnderWay = false;
    },
  });

  return {
    committed(units) {
      if (isLeftToWriter) finish();
      unitsSince += units;
      if (isUnderWay || unitsSince < unitsPerCheckpoint) return;
      unitsSince = 0;
      isUnderWay = true;
      thread.send("checkpoint");
    },

    close: (msMax) => thread.end(Math.min(msMax, closeMsMax), "close"),
  };

  /** The next commit begins the log anew, so that it does not grow for as long as writes never pause. */
  function finish(): void {
    isLeftToWriter = false;
    try {
      checkpoint.all();
    } catch {
      // What a disk refuses now is tried again with the next checkpoint: nothing of the log is lost.
    }
  }
}
