import { Database as Connection, SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { OperatorError } from "../operator-error.ts";

/**
 * Takes the data folder for this process alone, and answers how to let it go. The lock is SQLite's own on an empty
 * file, so the system frees it however the process ends. Throws `OperatorError` where another process has it.
 */
export function lockDataFolder(folder: string): () => void {
  const connection = new Connection(join(folder, "latchkey.lock"), { create: true, readwrite: true });
  try {
    connection.run("PRAGMA locking_mode = EXCLUSIVE");
    connection.run("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") {
      throw new OperatorError(`Another Latchkey is running on ${folder}. Stop it first.`);
    }
    throw error;
  }
  return () => connection.close();
}
