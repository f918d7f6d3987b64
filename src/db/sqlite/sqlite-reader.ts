import type { Database as Connection } from "bun:sqlite";
import { connectToRead, templateOn } from "../connection.ts";
import type { Sql, SqlArgument } from "../contract.ts";

const cacheKib = 4_096;

/** What everybody reads by. */
export interface Reader {
  read: Sql;
  /** Is another number once another connection than the writer has committed, as seen when this turn began; `null` where SQLite does not answer. */
  dataVersion(): number | null;
  /** Lets go of what the reads of this turn have seen. The writer calls it before each transaction and each commit: a reader that holds an instant keeps SQLite from beginning its log anew. */
  renew(): void;
  close(): void;
}

/**
 * Reads in one turn of the event loop share one transaction, and so one instant: to take SQLite's lock and to let it go costs as much as a
 * look-up does. No read sees less than was committed when its turn began, nor less than our own last commit.
 *
 * They go by the writer's connection while it writes nothing. It keeps the pages that it knows when it commits, where any other forgets all of them,
 * and it needs most of those that are read here next, for what is written after the look-up. What it is writing nobody may see: meanwhile, and
 * for whatever is not plainly a SELECT, there is a connection that cannot write.
 */
export function openReader(file: string, writer: Connection): Reader {
  const apart = connectToRead(file, cacheKib);
  const [readsOnWriter, readsApart] = [readsOn(writer), readsOn(apart)];
  const versionOfData = writer.prepare<{ data_version: number }, []>("PRAGMA data_version");
  let turn: { version: number | null; end: NodeJS.Immediate } | null = null;
  let closed = false;

  return {
    read<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]): Promise<Row[]> {
      try {
        thisTurn();
        const isWriting = writer.inTransaction && !readsOnWriter.areBegun();
        const reads = isWriting || !isSelect.test(strings[0] as string) ? readsApart : readsOnWriter;
        reads.begin();
        return reads.run<Row>(strings, ...values);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    dataVersion: () => thisTurn().version,
    renew,
    close() {
      if (closed) return;
      closed = true;
      renew();
      apart.close();
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
    readsOnWriter.end();
    readsApart.end();
  }
}

const isSelect = /^\s*SELECT\b/;

/** The transaction that the reads of a turn share on one connection. */
function readsOn(connection: Connection) {
  const [begin, commit] = [connection.prepare("BEGIN"), connection.prepare("COMMIT")];
  let areBegun = false;
  return {
    run: templateOn(connection),
    areBegun: () => areBegun,
    begin() {
      // SQLite itself gives up a transaction where the disk fails.
      if (areBegun && connection.inTransaction) return;
      begin.run();
      areBegun = true;
    },
    end() {
      const wereBegun = areBegun;
      // First, so that what cannot be ended is taken for a writer's transaction, which the next one rolls back.
      areBegun = false;
      if (wereBegun && connection.inTransaction) commit.run();
    },
  };
}
