import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Keep } from "../config/backup-settings.ts";
import { isoOf } from "../core/clock.ts";
import { giveToOwnerOf } from "../db/files.ts";

/** Where backups are kept: a folder, or a bucket. */
export interface Place {
  /** Newest first. */
  list(): Promise<KeptBackup[]>;
  remove(name: string): Promise<void>;
}

export interface KeptBackup {
  name: string;
  madeAt: number;
  bytes: number;
}

/**
 * Returns the backups to remove from a list that begins with the newest. The newest always stays. Backups dated in the
 * future were made while the clock was ahead. They stay and do not count, so no other is removed because of them.
 */
export function beyondKeep(backups: KeptBackup[], { count, ms }: Keep, now: number): KeptBackup[] {
  const isBeyond = ({ madeAt }: KeptBackup, index: number) =>
    (count !== null && index >= count) || (ms !== null && madeAt < now - ms);
  return backups.filter(({ madeAt }) => madeAt <= now).filter((backup, index) => index > 0 && isBeyond(backup, index));
}

export function newestFirst(a: KeptBackup, b: KeptBackup): number {
  return b.madeAt - a.madeAt;
}

const shape = /^latchkey-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db\.zst$/;

/** Names sort by time. Some systems allow no colons in file names. */
export function backupName(madeAt: number): string {
  return `latchkey-${isoOf(madeAt).replaceAll(":", "-")}.db.zst`;
}

/** Returns the time in a backup's name, or null if it is not the name of a backup. */
export function madeAtOf(name: string): number | null {
  const [, day, hour, minute, second] = name.match(shape) ?? [];
  const madeAt = Date.parse(`${day}${hour}:${minute}:${second}`);
  return Number.isNaN(madeAt) ? null : madeAt;
}

/** Backups in a folder of this machine. Other files are ignored. */
export function openFolder(folder: string): Place {
  return {
    async list() {
      const names = existsSync(folder) ? await readdir(folder) : [];
      const found = names.map(async (name): Promise<KeptBackup[]> => {
        const madeAt = madeAtOf(name);
        // Another process may have removed the file since.
        const file = madeAt === null ? null : await stat(join(folder, name)).catch(() => null);
        return madeAt !== null && file?.isFile() ? [{ name, madeAt, bytes: file.size }] : [];
      });
      return (await Promise.all(found)).flat().sort(newestFirst);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/**
 * Only this user can read the folder, or the server's user if root creates it. A missing parent is an error, because it
 * may be a disk that is not mounted.
 */
export async function makeBackupFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(folder, { mode: 0o700 });
  giveToOwnerOf(dirname(folder), folder);
}
