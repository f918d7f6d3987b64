import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { S3Settings } from "../config/backup-settings.ts";
import { backupProgram } from "../config/program.ts";
import { msPerHour } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { makeUnfinishedFolder } from "../db/copies/snapshot.ts";
import type { Step } from "./schema.ts";

/** `share` is 0 to 1, or null if it is unknown. */
export interface Progress {
  step: Step;
  share: number | null;
}

/** The thread's `workerData`. */
export interface BackupWork {
  database: string;
  /** A new folder for unfinished files. */
  unfinished: string;
  /** The path of the finished backup; null leaves the copy in `unfinished` for the caller. */
  file: string | null;
  isCompressed: boolean;
  /**
   * Whether the file is in the server's own folder. The server removes old backups, so it must own a file that root
   * makes.
   */
  isForServer: boolean;
  /** A second place for the backup, under the same file name. */
  s3: S3Settings | null;
}

/** What the thread sends: its progress in bytes, then how it ended. */
export type BackupMessage =
  | { step: Step; done: number; total: number }
  | { made: Made }
  | { refused: string }
  | { failed: string };

export interface Made {
  bytes: number;
  /** Why it could not be sent to S3, or null. The file here is whole either way. */
  notSent: string | null;
}

/** A backup is abandoned after this time, because a place may never respond. */
const workMsMax = 2 * msPerHour;

const copyProgressMs = 200;

/**
 * Makes a backup in a thread, so that neither verification nor a signal waits for it: a copy of one instant, checked
 * like a restore checks it, compressed, and only then named. `handOver` receives a copy that gets no name. Throws
 * `OperatorError` if the copy could not be restored, or another error.
 */
export async function makeBackup({
  onProgress,
  handOver,
  ...work
}: Omit<BackupWork, "unfinished"> & {
  onProgress: (progress: Progress) => void;
  handOver?: ((copy: string) => Promise<void>) | undefined;
}): Promise<Made> {
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

export function copyIn(unfinished: string): string {
  return join(unfinished, "latchkey.db");
}

function inThread(work: BackupWork, onProgress: (progress: Progress) => void): Promise<Made> {
  const thread = new Worker(backupProgram, { workerData: work });
  // A stopping process does not wait for the thread. Its unfinished files are removed with their folder.
  thread.unref();
  let look: ReturnType<typeof setInterval> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<Made>((resolve, reject) => {
    late = setTimeout(() => reject(new Error(`It took longer than ${workMsMax} ms.`)), workMsMax);
    thread.on("message", (message: BackupMessage) => {
      clearInterval(look);
      if ("made" in message) return resolve(message.made);
      if ("refused" in message) return reject(new OperatorError(message.refused));
      if ("failed" in message) return reject(new Error(message.failed));
      const { step, done, total } = message;
      onProgress({ step, share: total > 0 ? Math.min(1, done / total) : null });
      // SQLite copies in one statement without reports, so the size of the copy shows the progress.
      if (step === "copying")
        look = setInterval(() => onProgress({ step, share: copied(work, total) }), copyProgressMs);
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
