import type { Database as Connection } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import { giveToOwnerOf, lockFolder } from "../files.ts";
import type { Migration } from "../migrate/applied-migrations.ts";
import { checkDatabase } from "./check.ts";

/**
 * Writes a consistent copy of an open database to `file` in its data folder, while others read and write. The copy is
 * checked and on the disk before it gets its name, so a file of that name is always complete. Throws `OperatorError` if
 * `file` already exists or the copy could not be restored.
 */
export function copyDatabase(connection: Connection, file: string, migrations: Migration[]): void {
  refuseExisting(file);
  const unfinished = makeUnfinishedFolder(dirname(file), { isDataFolder: true });
  try {
    const copy = join(unfinished.path, "latchkey.db");
    writeSnapshot(connection, copy);
    checkDatabase(copy, migrations);
    nameFile(copy, file);
  } finally {
    unfinished.remove();
  }
}

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} already exists.`);
}

/** Writes one instant of an open database to a file without a journal. */
export function writeSnapshot(connection: Connection, file: string): void {
  connection.query("VACUUM INTO ?").run(file);
}

/** Renames a finished file, in one step that survives a power cut. */
export function nameFile(written: string, file: string): void {
  flush(written);
  renameSync(written, file);
  flush(dirname(file));
}

function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const prefix = ".latchkey-unfinished-";

/**
 * Makes a folder inside `folder` for unfinished files. It is locked while its process lives, so later processes can
 * recognise and remove the folders of killed ones. A process that exits removes its own.
 */
export function makeUnfinishedFolder(folder: string, { isDataFolder = false } = {}) {
  removeAbandoned(folder);
  const path = mkdtempSync(join(folder, prefix));
  try {
    // The server must be able to remove files that a killed process of root left. Elsewhere root's files stay root's.
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
    // On a full disk it cannot be locked, and without a lock it would never be removed.
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the folders that killed processes left in `folder`. */
export function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    // Without a lock file it has only just been made.
    if (!isOurs(path, folder) || !existsSync(join(path, "latchkey.lock"))) continue;
    const unlock = lockFolder(path);
    if (!unlock) continue;
    rmSync(path, { recursive: true, force: true });
    unlock();
  }
}

/** In a shared folder, another user's folder of that name is left alone. */
function isOurs(path: string, folder: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && [process.getuid?.(), statSync(folder).uid].includes(stat.uid);
}
