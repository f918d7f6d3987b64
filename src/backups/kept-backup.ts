import { join } from "node:path";
import type { BackupSettings } from "../config/backup-settings.ts";
import { backupName } from "./backup-name.ts";
import { makeBackup, type Progress } from "./backup-work.ts";
import { makeBackupFolder, openFolder } from "./folder-place.ts";
import { beyondKeep, type Place } from "./place.ts";
import { openS3 } from "./s3-place.ts";

export interface KeptBackupReport {
  name: string;
  bytes: number;
  /** Why it is not in S3, where it was to be. */
  notSent: string | null;
  /** What went, because newer ones are enough. */
  removed: string[];
}

/**
 * Makes a backup as the schedule does: under the name of its time in the folder, in S3 where there is one, and then removes from both what
 * is beyond `keep`. Throws where none was made.
 */
export async function makeKeptBackup({
  settings,
  database,
  madeAt,
  onProgress,
}: {
  settings: BackupSettings;
  database: string;
  madeAt: number;
  onProgress?: (progress: Progress) => void;
}): Promise<KeptBackupReport> {
  const { folder, s3, keep } = settings;
  const name = backupName(madeAt);
  await makeBackupFolder(folder);
  const work = { database, file: join(folder, name), isCompressed: true, isForServer: true, s3 };
  const { bytes, notSent } = await makeBackup({ ...work, onProgress });
  // Where nothing new has come, nothing old goes.
  const grown = s3 && notSent === null ? [openFolder(folder), openS3(s3)] : [openFolder(folder)];
  const removed = await Promise.all(grown.map((place) => removeBeyondKeep(place, keep, madeAt)));
  return { name, bytes, notSent, removed: [...new Set(removed.flat())] };
}

/** One that does not go now goes after the next backup. */
async function removeBeyondKeep(place: Place, keep: BackupSettings["keep"], now: number): Promise<string[]> {
  const removed: string[] = [];
  try {
    for (const { name } of beyondKeep(await place.list(), keep, now)) {
      await place.remove(name);
      removed.push(name);
    }
  } catch {
    // The backup itself is made, and where it lies is asked again after the next.
  }
  return removed;
}
