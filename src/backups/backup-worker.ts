import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { S3Settings } from "../config/backup-settings.ts";
import { OperatorError } from "../core/operator-error.ts";
import { lowerPriority } from "../core/thread.ts";
import { busyTimeoutMs } from "../db/connection.ts";
import { checkDatabase, openUntrusted } from "../db/copies/check.ts";
import { compressFile } from "../db/copies/compression.ts";
import { nameFile, writeSnapshot } from "../db/copies/snapshot.ts";
import { giveToOwnerOf } from "../db/files.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { type BackupMessage, type BackupWork, copyIn, type Made } from "./backup-work.ts";
import { openS3 } from "./s3-place.ts";
import type { Step } from "./schema.ts";

const progressMs = 100;

/*
 * The program of the thread that makes a backup, so that verification never waits for it. `backup-work.ts` is its other
 * end.
 */
lowerPriority();
try {
  post({ made: await make(workerData as BackupWork) });
} catch (error) {
  post(error instanceof OperatorError ? { refused: error.message } : { failed: (error as Error).message });
}

async function make({ database, unfinished, file, isCompressed, isForServer, s3 }: BackupWork): Promise<Made> {
  const copy = copyIn(unfinished);
  copyDatabase(database, copy);
  post({ step: "checking", done: 0, total: 0 });
  checkDatabase(copy, releasedMigrations());
  const total = statSync(copy).size;
  const compressed = isCompressed
    ? await compressFile(copy, `${copy}.zst`, progressOf("compressing", total))
    : { bytes: total, sha256: "" };
  if (file === null) return { bytes: compressed.bytes, notSent: null };
  const whole = isCompressed ? `${copy}.zst` : copy;
  if (isForServer) giveToOwnerOf(dirname(file), whole);
  nameFile(whole, file);
  return { bytes: compressed.bytes, notSent: s3 && (await send(file, s3, compressed)) };
}

function copyDatabase(database: string, copy: string): void {
  const connection = openUntrusted(database);
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const [[bytes] = []] = connection
      .query(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
      )
      .values();
    post({ step: "copying", done: 0, total: Number(bytes) });
    writeSnapshot(connection, copy);
  } finally {
    connection.close();
  }
}

/** Returns why it could not be sent, or null. */
async function send(
  file: string,
  settings: S3Settings,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<string | null> {
  post({ step: "sending", done: 0, total: 0 });
  try {
    await openS3(settings).send(file, basename(file), { sha256, onReadBack: progressOf("readingBack", bytes) });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function progressOf(step: Step, total: number): (done: number) => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (done) => {
    if (performance.now() - sentAt < progressMs) return;
    sentAt = performance.now();
    post({ step, done, total });
  };
}

function post(message: BackupMessage): void {
  parentPort?.postMessage(message);
}
