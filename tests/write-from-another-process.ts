import { type Database as Connection, SQLiteError, type SQLQueryBindings } from "bun:sqlite";

/**
 * Writes as another process would, in a new turn of the event loop, because all reads of one turn see the same
 * snapshot. It retries in later turns if the database is locked, because the work that holds the lock may need this
 * thread.
 */
export async function writeFromAnotherProcess(
  other: Connection,
  text: string,
  values: SQLQueryBindings[] = [],
): Promise<void> {
  for (;;) {
    await new Promise(setImmediate);
    try {
      other.run(text, values);
      return;
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY") throw error;
    }
  }
}
