import { type Database as Connection, SQLiteError, type SQLQueryBindings } from "bun:sqlite";

/**
 * Writes as another process does, in a turn of its own: the reads of one turn see one instant. It waits for the database's lock between turns, because
 * a chore that has it waits for this thread.
 */
export async function writeElsewhere(other: Connection, text: string, values: SQLQueryBindings[] = []): Promise<void> {
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
