import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Keep } from "../config/backup-settings.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { chunksOf, giveToOwnerOf } from "../db/files.ts";

/** Where backups are kept: a folder, or a bucket. */
export interface Place {
  /** Newest first. */
  list(): Promise<KeptBackup[]>;
  /** The bytes as they lie there. Throws `OperatorError` where there is none of that name. */
  read(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

export interface KeptBackup {
  name: string;
  madeAt: number;
  bytes: number;
}

/** Which of them have to go, of a list that begins with the newest. That one stays, however old it is: it is the last there is. */
export function beyondKeep(backups: KeptBackup[], { count, ms }: Keep, now: number): KeptBackup[] {
  const isBeyond = ({ madeAt }: KeptBackup, index: number) =>
    (count !== null && index >= count) || (ms !== null && madeAt < now - ms);
  return backups.filter((backup, index) => index > 0 && isBeyond(backup, index));
}

export function newestFirst(a: KeptBackup, b: KeptBackup): number {
  return b.madeAt - a.madeAt;
}

const shape = /^latchkey-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db\.zst$/;

/** What a backup is called wherever it is kept: names sort as their times do. Colons are in no file name of some systems. */
export function backupName(madeAt: number): string {
  return `latchkey-${isoOf(madeAt).replaceAll(":", "-")}.db.zst`;
}

/** When a backup was made, by its name; `null` where that is not a name of ours. */
export function madeAtOf(name: string): number | null {
  const [, day, hour, minute, second] = name.match(shape) ?? [];
  const madeAt = Date.parse(`${day}${hour}:${minute}:${second}`);
  return Number.isNaN(madeAt) ? null : madeAt;
}

/** Backups in a folder of this machine. Only files with a name of ours are seen. */
export function openFolder(folder: string): Place {
  return {
    async list() {
      const names = existsSync(folder) ? await readdir(folder) : [];
      const found = names.map(async (name): Promise<KeptBackup[]> => {
        const madeAt = madeAtOf(name);
        // One that another process has removed since is not there.
        const file = madeAt === null ? null : await stat(join(folder, name)).catch(() => null);
        return madeAt !== null && file?.isFile() ? [{ name, madeAt, bytes: file.size }] : [];
      });
      return (await Promise.all(found)).flat().sort(newestFirst);
    },
    async *read(name) {
      const file = join(folder, name);
      if (madeAtOf(name) === null || !existsSync(file)) throw new OperatorError(`There is no backup ${name}.`);
      yield* chunksOf(file);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** For this user's eyes, and, where root makes it, for those of the server. What it stands in is not made: a disk that is away is not to be filled in. */
export async function makeBackupFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(folder, { mode: 0o700 });
  giveToOwnerOf(dirname(folder), folder);
}
