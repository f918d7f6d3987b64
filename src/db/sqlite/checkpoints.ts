import type { Database as Connection } from "bun:sqlite";
import type { Streams } from "../streams.ts";

/**
 * Pages in the log (4 MiB) from which a commit writes it back to the database file. This blocks the server meanwhile:
 * with more pages it would block less often, but for longer.
 */
const checkpointPages = 1_000;

/** Pages in the log (256 MiB) beyond which no stream may hold it. */
const heldLogPagesMax = 65_536;

const checkpointEveryMs = 1_000;

/**
 * Writes the rest of SQLite's log back to the database file between commits, and empties the log once nothing is
 * written. It uses the writing connection, because a checkpoint by any other one would look like a write by another
 * process. That connection has no `busy_timeout`, so a checkpoint never waits for a reader. A stream holds its snapshot
 * and with it all of the log since then: when the log becomes too large, streams are cut off, and none begins until the
 * log starts again. Returns how to stop.
 */
export function scheduleCheckpoints(
  writer: Connection,
  streams: Pick<Streams, "isAnyOpen" | "holdBack">,
  heldPagesMax = heldLogPagesMax,
): () => void {
  writer.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  const [passive, truncate] = ["PASSIVE", "TRUNCATE"].map((mode) =>
    writer.prepare<{ log: number }, []>(`PRAGMA wal_checkpoint(${mode})`),
  );
  let logPagesBefore = 0;

  const timer = setInterval(() => {
    if (writer.inTransaction) return;
    try {
      const logPages = passive?.get()?.log ?? 0;
      const isIdle = logPages === logPagesBefore;
      logPagesBefore = logPages;
      streams.holdBack(logPages > heldPagesMax);
      if (logPages > 0 && isIdle && !streams.isAnyOpen()) truncate?.get();
    } catch {
      // The disk is full or failing, or the file is locked. Nothing is lost, because the log has everything and the
      // next checkpoint tries again.
    }
  }, checkpointEveryMs);
  timer.unref();

  return () => {
    clearInterval(timer);
    passive?.finalize();
    truncate?.finalize();
  };
}
