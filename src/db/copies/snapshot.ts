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
 * Writes a consistent copy of an open database to `file` in its data folder, while others go on reading and writing. The
 * copy is checked and on the disk before it gets its name, so a file of that name is always whole. Throws
 * `OperatorError` where `file` already exists or the copy could not be restored.
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

/** One instant of an open database, as a file that stands alone. */
export function writeSnapshot(connection: Connection, file: string): void {
  connection.query("VACUUM INTO ?").run(file);
}

/** Gives what was written its name, in one step that survives a power cut. */
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
