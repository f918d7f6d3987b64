import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BackupSettings } from "../config/backup-settings.ts";
import { OperatorError } from "../core/operator-error.ts";
import { type Made, makeBackup, type Progress } from "./backup-work.ts";
import {
  backupName,
  beyondKeep,
  type KeptBackup,
  madeAtOf,
  makeBackupFolder,
  newestFirst,
  openFolder,
  type Place,
} from "./place.ts";
import { openS3 } from "./s3-place.ts";
import type { PlaceName } from "./schema.ts";

export interface ListedBackup extends KeptBackup {
  places: PlaceName[];
}

export interface KeptList {
  /** Newest first, without duplicates. */
  backups: ListedBackup[];
  /** Why the backups in S3 are missing from the list, or null. */
  s3Failure: string | null;
}

/** The backups of both places. */
export async function listKept({ folder, s3 }: Pick<BackupSettings, "folder" | "s3">): Promise<KeptList> {
  let s3Failure: string | null = null;
  const [here, there] = await Promise.all([
    openFolder(folder).list(),
    s3 === null
      ? []
      : openS3(s3)
          .list()
          .catch((error: Error) => {
            s3Failure = error.message;
            return [];
          }),
  ]);
  const listed = new Map<string, ListedBackup>();
  for (const backup of here) listed.set(backup.name, { ...backup, places: ["folder"] });
  for (const backup of there) {
    const local = listed.get(backup.name);
    // A copy of another size is damaged.
    if (local && local.bytes !== backup.bytes) continue;
    listed.set(backup.name, { ...backup, places: [...(local?.places ?? []), "s3"] });
  }
  return { backups: [...listed.values()].sort(newestFirst), s3Failure };
}

/** Returns when the newest backup in the folder from before an instant was made, or 0. */
export async function newestBackupIn(folder: string, beforeMs: number): Promise<number> {
  const backups = await openFolder(folder).list();
  return backups.find(({ madeAt }) => madeAt < beforeMs)?.madeAt ?? 0;
}

/**
 * Returns a backup by its listed name, or the newest for `latest`: its file here, or its bytes from S3. Throws
 * `OperatorError`.
 */
export async function findKept(
  name: string,
  settings: Pick<BackupSettings, "folder" | "s3">,
  now: number,
): Promise<{ name: string; source: string | AsyncIterable<Uint8Array> }> {
  const found = name === latest ? await latestOf(settings, now) : name;
  const file = join(settings.folder, found);
  if (existsSync(file)) return { name: found, source: file };
  if (settings.s3 === null) throw new OperatorError(`There is no backup ${found} in ${settings.folder}.`);
  return { name: found, source: openS3(settings.s3).read(found) };
}

const latest = "latest";

/** Whether `findKept` understands the name. If not, it is a path. */
export function isKeptName(name: string): boolean {
  return name === latest || madeAtOf(name) !== null;
}

/** A backup dated in the future was made while the clock was ahead, so it is used only if there is no other. */
async function latestOf(settings: Pick<BackupSettings, "folder" | "s3">, now: number): Promise<string> {
  const { backups, s3Failure } = await listKept(settings);
  // If S3 does not respond, an older backup in the folder must not pass for the newest.
  if (s3Failure) throw new OperatorError(s3Failure);
  const newest = backups.find(({ madeAt }) => madeAt <= now) ?? backups[0];
  if (!newest) throw new OperatorError("There is no backup.");
  return newest.name;
}

export interface KeptBackupReport extends Made {
  name: string;
  /** The names of older backups that were removed. */
  removed: string[];
  /** Those that could not be removed, and why. */
  notRemoved: { name: string; reason: string }[];
}

/**
 * Makes a backup as the schedule does: in the folder under the name of its time, in S3 if it is configured, and then
 * removes from both the backups that exceed `keep`. Throws if none was made.
 */
export async function makeKeptBackup({
  settings,
  database,
  madeAt,
  retentionNow,
  onProgress,
}: {
  settings: BackupSettings;
  database: string;
  madeAt: number;
  /** The time from which `keep` counts days. */
  retentionNow: number;
  onProgress: (progress: Progress) => void;
}): Promise<KeptBackupReport> {
  const { folder, s3, keep } = settings;
  const name = backupName(madeAt);
  await makeBackupFolder(folder);
  const work = { database, file: join(folder, name), isCompressed: true, isForServer: true, s3 };
  const { bytes, notSent } = await makeBackup({ ...work, onProgress });
  // Old backups are removed only from places that the new one has reached.
  const grown = s3 && notSent === null ? [openFolder(folder), openS3(s3)] : [openFolder(folder)];
  const reports = await Promise.all(grown.map((place) => removeBeyondKeep(place, keep, retentionNow)));
  const removed = [...new Set(reports.flatMap((report) => report.removed))];
  return { name, bytes, notSent, removed, notRemoved: reports.flatMap((report) => report.notRemoved) };
}

/**
 * A backup that cannot be removed, because it is locked, does not stop the removal of others. The next backup tries
 * again.
 */
async function removeBeyondKeep(place: Place, keep: BackupSettings["keep"], now: number) {
  const removed: string[] = [];
  const notRemoved: KeptBackupReport["notRemoved"] = [];
  // The new backup is safe: without a list, the next one tries again.
  const kept = await place.list().catch(() => []);
  for (const { name } of beyondKeep(kept, keep, now)) {
    try {
      await place.remove(name);
      removed.push(name);
    } catch (error) {
      notRemoved.push({ name, reason: (error as Error).message });
    }
  }
  return { removed, notRemoved };
}
