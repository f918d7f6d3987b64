import type { Database as Connection } from "bun:sqlite";
import { connectToRead, templateOn } from "../connection.ts";
import type { Sql } from "../contract.ts";

/**
 * Look-ups of what is committed. Between commits they use the writing connection: SQLite empties the page cache of every
 * other connection at each commit, and a device that connects is looked up shortly before the same pages are written.
 */
export function createReads(writer: Connection, file: string, cacheKib: number) {
  const reader = connectToRead(file, cacheKib);
  const readBesideCommit = templateOn(reader);
  const readOnWriter = templateOn(writer, { before: beginSnapshot, firstOn: reader });
  const begin = writer.prepare("BEGIN");
  const end = writer.prepare("COMMIT");
  /** While it is free, a transaction on it is a snapshot. */
  let isWriterFree = true;

  const read: Sql = (strings, ...values) => (isWriterFree ? readOnWriter : readBesideCommit)(strings, ...values);

  return { read, endSnapshot, leaveWriter, returnToWriter, close };

  /**
   * Look-ups of requests that are handled together share a snapshot: to begin and to end one takes twice as long as to
   * look up a text that is no key. It ends before another request is read.
   */
  function beginSnapshot(): void {
    if (writer.inTransaction) return;
    begin.run();
    queueMicrotask(endSnapshot);
  }

  function endSnapshot(): void {
    if (isWriterFree && writer.inTransaction) end.run();
  }

  /** Called before a transaction begins on the writer, because what it writes must not be seen before it is committed. */
  function leaveWriter(): void {
    endSnapshot();
    isWriterFree = false;
  }

  /** Called after the transaction. If a failing disk kept it from ending, the next one ends it first. */
  function returnToWriter(): void {
    isWriterFree = !writer.inTransaction;
  }

  function close(): void {
    leaveWriter();
    // This also closes its statements: a connection with open statements keeps the file open.
    reader.close(true);
  }
}
