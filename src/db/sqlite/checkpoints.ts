import type { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { getLogger } from "@logtape/logtape";
import { atMost } from "../../core/at-most.ts";
import { createThread } from "../../core/thread.ts";
import type { CheckpointData, CheckpointOrder, CheckpointReport } from "./checkpoint-thread.ts";

const log = getLogger(["latchkey", "database"]);

/** A new device is a unit and leaves a page in the log, or two. Nobody waits for this, and what is written in one go costs less than the same in pieces. */
const unitsPerCheckpoint = 2_000;

/** Where the thread does not keep up, or is dead: past so many pages (250 MiB) a commit writes the log back itself, and all wait for it. */
const logPagesMax = 64_000;

/** How long after its begin commits go on waiting for the last round: it takes as long as the disk takes for what was written back since the one before. */
const lastRoundMsMax = 100;

const closeMsMax = 2_000;

/**
 * Writes SQLite's log back to its file. By itself SQLite does so in every so many commits, on the thread that answers everybody: with a million
 * keys that was a fifth of the time of new devices, and the longest waits. Here a thread does it beside them. The log begins anew only where
 * nothing of it is left: so once it is large commits wait for the thread's last round, which has little to do, and nobody else does.
 */
export interface Checkpoints {
  /** Is told of each commit, when it is over. */
  committed(units: number): void;
  /** The last round, while it is under way. Whoever begins a commit waits for that first. */
  lastRound(): Promise<void> | null;
  close(msMax: number): Promise<void>;
  /** Lets go of the file itself, after every connection of this process has: the system takes the locks of all of them with any descriptor that is closed. */
  letGo(): void;
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
  const descriptor = openSync(file, "r");
  let isHeld = true;
  let unitsSince = 0;
  let isUnderWay = false;
  let isLastDue = false;
  let last: { over: Promise<void>; end: () => void } | null = null;
  const thread = createThread<CheckpointOrder, CheckpointReport>({
    program,
    data: { file, descriptor } satisfies CheckpointData,
    onTold({ isLastRoundDue }) {
      isUnderWay = false;
      isLastDue = last === null && isLastRoundDue;
      endLast();
    },
    onDeath(cause) {
      log.error("The thread that writes the log back has died: {cause}", { cause });
      isUnderWay = false;
      endLast();
    },
  });

  return {
    committed(units) {
      unitsSince += units;
      if (isUnderWay || !(isLastDue || unitsSince >= unitsPerCheckpoint)) return;
      if (isLastDue) beginLast();
      else unitsSince = 0;
      isLastDue = false;
      isUnderWay = true;
      thread.send("checkpoint");
    },

    lastRound: () => last?.over ?? null,

    close: (msMax) => thread.end(Math.min(msMax, closeMsMax), "close"),

    letGo() {
      if (isHeld) closeSync(descriptor);
      isHeld = false;
    },
  };

  function beginLast(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    last = { over: atMost(lastRoundMsMax, promise), end: resolve };
  }

  function endLast(): void {
    last?.end();
    last = null;
  }
}
