import { Database as Connection } from "bun:sqlite";
import { asRefusal } from "../connection.ts";
import type { Probe, Sql } from "../contract.ts";

/** How long a look waits for who has the file to himself for the moment. */
const busyTimeoutMs = 500;

/** Looks at the file as a stranger would: what our own connections remember of it would hide that it was cut short, or is gone. */
export function createProbe({
  file,
  transaction,
}: {
  file: string;
  transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
}): Probe {
  return {
    async read() {
      try {
        readNewestRows(file);
      } catch (error) {
        throw asRefusal(error);
      }
    },
    async write() {
      // It is 0 in every database of ours: one page is written, and says what it said before.
      await transaction((sql) => sql`PRAGMA user_version = 0`);
    },
  };
}

/** A file that was cut short has lost its end, where the newest rows of its tables are. */
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
