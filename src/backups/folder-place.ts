import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "../core/operator-error.ts";
import { chunksOf, giveToOwnerOf } from "../db/files.ts";
import { madeAtOf } from "./backup-name.ts";
import { type KeptBackup, newestFirst, type Place } from "./place.ts";

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
