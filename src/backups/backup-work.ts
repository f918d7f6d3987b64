import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { S3Settings } from "../config/backup-settings.ts";
import { backupProgram } from "../config/files.ts";
import { msPerHour } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { makeUnfinishedFolder } from "../db/copies/snapshot.ts";
import type { Step } from "./limits.ts";

/** Where it is: `share` is 0 to 1, and `null` where nobody knows. */
export interface Progress {
  step: Step;
  share: number | null;
}

/** What the thread is told to do. */
export interface BackupWork {
  database: string;
  /** A new folder for what is not finished. */
  unfinished: string;
  /** Its name, once it is whole; `null` leaves the copy in `unfinished`, for whoever sends it on. */
  file: string | null;
  isCompressed: boolean;
  /** In the server's own folder, where it removes old ones: it is given what root makes. */
  isForServer: boolean;
  /** Where it is to be kept besides, under the name of the file. */
  s3: S3Settings | null;
}

/** What the thread says: where it is (in bytes), and how it ended. */
export type BackupTold =
  | { step: Step; done: number; total: number }
  | { made: Made }
  | { refused: string }
  | { failed: string };

export interface Made {
  bytes: number;
  /** Why it is not in S3, where it was to be. It is whole and named here nevertheless. */
  notSent: string | null;
}

/** A place that neither answers nor refuses is given up some time. */
const workMsMax = 2 * msPerHour;

const lookMs = 200;

interface BackupRequest extends Omit<BackupWork, "unfinished"> {
  onProgress?: (progress: Progress) => void;
  /** Is given the copy that has no name to get. */
  handOver?: (copy: string) => Promise<void>;
}

/**
 * Makes a backup in a thread of its own, so that neither verification nor a signal waits for it: a copy of one instant, asked everything
 * that a restore would ask, compressed, and only then named. Throws `OperatorError` where it could not be restored, and what went wrong.
 */
export async function makeBackup(request: BackupRequest): Promise<Made> {
  const { onProgress = () => {}, handOver, ...work } = request;
  const folder = dirname(work.file ?? work.database);
  const isDataFolder = work.isForServer || folder === dirname(work.database);
  const unfinished = makeUnfinishedFolder(folder, { isDataFolder });
  try {
    const made = await inThread({ ...work, unfinished: unfinished.path }, onProgress);
    await handOver?.(copyIn(unfinished.path));
    return made;
  } finally {
    unfinished.remove();
  }
}

/** Where the copy of the database lies until it is whole. */
export function copyIn(unfinished: string): string {
  return join(unfinished, "latchkey.db");
}

function inThread(work: BackupWork, onProgress: (progress: Progress) => void): Promise<Made> {
  const thread = new Worker(backupProgram, { workerData: work });
  // A process that stops does not wait for it; what it leaves is removed with its folder.
  thread.unref();
  let look: ReturnType<typeof setInterval> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<Made>((resolve, reject) => {
    late = setTimeout(() => reject(new Error(`It took more than ${workMsMax} ms.`)), workMsMax);
    thread.on("message", (told: BackupTold) => {
      clearInterval(look);
      if ("made" in told) return resolve(told.made);
      if ("refused" in told) return reject(new OperatorError(told.refused));
      if ("failed" in told) return reject(new Error(told.failed));
      const { step, done, total } = told;
      onProgress({ step, share: total > 0 ? Math.min(1, done / total) : null });
      // SQLite copies in one statement, and says nothing meanwhile.
      if (step === "copying") look = setInterval(() => onProgress({ step, share: copied(work, total) }), lookMs);
    });
    thread.on("error", reject);
    thread.on("exit", (code) => reject(new Error(`The thread ended with code ${code}.`)));
  });
  return ended.finally(() => {
    clearInterval(look);
    clearTimeout(late);
    void thread.terminate();
  });
}

function copied({ unfinished }: BackupWork, total: number): number | null {
  const size = statSync(copyIn(unfinished), { throwIfNoEntry: false })?.size ?? 0;
  return total > 0 ? Math.min(1, size / total) : null;
}
