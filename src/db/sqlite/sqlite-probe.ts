import { Database as Connection } from "bun:sqlite";
import { asRefusal } from "../connection.ts";
import type { Database, Probe } from "../contract.ts";

/** How long a read waits for a process that holds the file's lock. */
const busyTimeoutMs = 500;

/** Opens the file again, because the caches of our own connections would hide that it was truncated or is gone. */
export function createProbe({ file, transaction }: { file: string; transaction: Database["transaction"] }): Probe {
  return {
    async read() {
      try {
        readNewestRows(file);
      } catch (error) {
        throw asRefusal(error);
      }
    },
    async write() {
      // It is 0 in all our databases, so this writes one page and changes nothing.
      await transaction(null, ({ sql }) => sql`PRAGMA user_version = 0`);
    },
  };
}

/** A truncated file has lost its end, where the newest rows of its tables are. */
function readNewestRows(file: string): void {
  const connection = new Connection(file, { readonly: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const tables = connection
      .query<{ name: string; wr: number }, []>(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
      )
      .all();
    for (const { name, wr } of tables) {
      const order = wr === 1 ? "" : "ORDER BY rowid DESC";
      connection.query(`SELECT * FROM "${name}" ${order} LIMIT 1`).get();
    }
  } finally {
    connection.close();
  }
}
