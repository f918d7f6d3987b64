import { Database as Connection, SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { OperatorError } from "../core/operator-error.ts";
import { giveToOwnerOf } from "./owner.ts";

/**
 * Takes a folder for this process alone, and answers how to let it go; `null` where another process has it. The lock is
 * SQLite's own on an empty file, so the system frees it however the process ends.
 */
export function lockFolder(folder: string): (() => void) | null {
  const file = join(folder, "latchkey.lock");
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    connection.run("PRAGMA locking_mode = EXCLUSIVE");
    connection.run("BEGIN EXCLUSIVE");
    giveToOwnerOf(folder, file);
  } catch (error) {
    connection.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return null;
    throw error;
  }
  return () => connection.close();
}

/** The same for a data folder. Throws `OperatorError` where another process has it. */
export function lockDataFolder(folder: string): () => void {
  const unlock = lockFolder(folder);
  if (!unlock) throw new OperatorError(`Another Latchkey is running on ${folder}. Stop it first.`);
  return unlock;
}
