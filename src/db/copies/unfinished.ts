import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../lock.ts";
import { giveToOwnerOf } from "../owner.ts";

const prefix = ".latchkey-unfinished-";

/** A folder for what has no name yet. */
export interface UnfinishedFolder {
  path: string;
  /** Removes it with everything that is still in it. */
  remove: () => void;
}

/**
 * Makes a folder inside `folder`, where a long work lies until it is whole and can be moved to its name. It is locked
 * while its process lives, so that whoever comes next can tell what a killed one left, and remove it; one that exits
 * removes it itself.
 */
export function makeUnfinishedFolder(folder: string, { isDataFolder = false } = {}): UnfinishedFolder {
  removeAbandoned(folder);
  const path = mkdtempSync(join(folder, prefix));
  try {
    // The server has to be able to remove what a killed root left. Elsewhere root trusts nobody with what it writes.
    if (isDataFolder) giveToOwnerOf(folder, path);
    const unlock = lockFolder(path);
    const remove = () => {
      process.off("exit", remove);
      unlock?.();
      rmSync(path, { recursive: true, force: true });
    };
    process.on("exit", remove);
    return { path, remove };
  } catch (error) {
    // On a disk that is full it cannot be locked, and without a lock nobody would ever remove it.
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the folders that killed processes left in `folder`. One that is at work stays. */
export function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    // Without its lock it has only just been made.
    if (!isOurs(path, folder) || !existsSync(join(path, "latchkey.lock"))) continue;
    const unlock = lockFolder(path);
    if (!unlock) continue;
    rmSync(path, { recursive: true, force: true });
    unlock();
  }
}

/** In a folder that everybody may write, somebody else's of that name is no business of ours. */
function isOurs(path: string, folder: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && [process.getuid?.(), statSync(folder).uid].includes(stat.uid);
}
