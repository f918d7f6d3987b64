import type { Database as Connection } from "bun:sqlite";
import { connectToRead, templateOn } from "./connection.ts";
import type { Sql, SqlArgument } from "./database.ts";

const cacheKib = 65_536;

/** The connection that everybody reads by. */
export interface Reader {
  read: Sql;
  /** Is another number once another connection than the writer has committed, as seen when this turn began; `null` where SQLite does not answer. */
  dataVersion(): number | null;
  /** Lets go of what the reads of this turn have seen. The writer calls it around each commit: a reader that holds an instant keeps SQLite from beginning its log anew. */
  renew(): void;
  close(): void;
}

/**
 * Reads in one turn of the event loop share one transaction, and so one instant: to take SQLite's lock and to let it go costs as much as a
 * look-up does. No read sees less than was committed when its turn began, nor less than our own last commit.
 */
export function openReader(file: string, writer: Connection): Reader {
  const connection = connectToRead(file, cacheKib);
  const run = templateOn(connection);
  const [begin, commit] = [connection.prepare("BEGIN"), connection.prepare("COMMIT")];
  const versionOfData = writer.prepare<{ data_version: number }, []>("PRAGMA data_version");
  let turn: { version: number | null; end: NodeJS.Immediate } | null = null;
  let closed = false;

  return {
    async read<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]): Promise<Row[]> {
      thisTurn();
      if (!connection.inTransaction) begin.run();
      return run<Row>(strings, ...values);
    },
    dataVersion: () => thisTurn().version,
    renew,
    close() {
      if (closed) return;
      closed = true;
      renew();
      connection.close();
    },
  };

  /** The version is asked before anything of the turn is read, so what is read is never older than the version says. */
  function thisTurn(): { version: number | null } {
    turn ??= { version: askVersion(), end: setImmediate(renew) };
    return turn;
  }

  function askVersion(): number | null {
    try {
      return versionOfData.get()?.data_version ?? null;
    } catch {
      // Nothing is known of others for this turn; the next one asks again.
      return null;
    }
  }

  function renew(): void {
    if (turn) clearImmediate(turn.end);
    turn = null;
    if (connection.inTransaction) commit.run();
  }
}
