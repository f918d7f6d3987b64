import { Database as Connection, SQLiteError } from "bun:sqlite";
import { join } from "node:path";

/** Another process works on the data folder. Its message is for the operator. */
export class DataFolderInUse extends Error {
  override readonly name = "DataFolderInUse";
}

/**
 * Takes the data folder for this process alone, and answers how to let it go. The lock is SQLite's own on an empty
 * file, so the system frees it however the process ends. Throws `DataFolderInUse`.
 */
export function lockDataFolder(folder: string): () => void {
  const connection = new Connection(join(folder, "latchkey.lock"), { create: true, readwrite: true });
  try {
    connection.run("PRAGMA locking_mode = EXCLUSIVE");
    connection.run("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") {
      throw new DataFolderInUse(`Another Latchkey is running on ${folder}. Stop it first.`);
    }
    throw error;
  }
  return () => connection.close();
}
