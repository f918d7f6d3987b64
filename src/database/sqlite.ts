import { Database as Connection, SQLiteError } from "bun:sqlite";
import { Refusal } from "../refusal.ts";
import type { Database, Sql, SqlArgument } from "./database.ts";
import { createStatements } from "./statements.ts";

/** How long a write waits for another process (a command line at work beside the server) before it is refused. */
export const busyTimeoutMs = 5_000;

/** The server's own writer asks again this often in that time, and answers others meanwhile. SQLite's own wait would stop them all. */
const busyRetryMs = 10;

/** Units that share one commit. A bound on how much is undone together when the disk refuses that commit. */
const unitsPerCommitMax = 256;

/** Units that may wait. Past it the server says at once that it is busy, instead of answering minutes later. */
const unitsWaitingMax = 10_000;

const readerCacheKib = 65_536;

interface Unit {
  work: (sql: Sql) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * The embedded engine: one reader connection, and one writer connection behind a queue.
 *
 * Units that wait together commit together: one transaction and one fsync, each unit in a savepoint of its own so that
 * the failure of one leaves the others whole. Nobody is answered before the shared commit is on the disk.
 */
export function openSqlite(file: string, writeWaitMsMax = busyTimeoutMs): Database {
  const writer = connect(file);
  writer.run("PRAGMA busy_timeout = 0");
  const reader = connect(file);
  reader.run(`PRAGMA query_only = ON`);
  reader.run(`PRAGMA cache_size = -${readerCacheKib}`);

  const read = templateOn(reader);
  const write = templateOn(writer);
  let waiting: Unit[] = [];
  let committing: Promise<void> | null = null;
  let closed = false;

  return {
    read,
    transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        if (closed || waiting.length >= unitsWaitingMax) {
          reject(new Refusal("BUSY", "The server is busy or stopping. Nothing was changed; please try again."));
          return;
        }
        waiting.push({ work, resolve: resolve as Unit["resolve"], reject });
        committing ??= commitAllWaiting();
      });
    },
    async snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
      const connection = connect(file);
      try {
        connection.run("PRAGMA query_only = ON");
        connection.run("BEGIN");
        return await work(templateOn(connection));
      } finally {
        // With its statements: a connection that still has some stays open, and holds its instant, until they are collected.
        connection.close(true);
      }
    },
    async close() {
      closed = true;
      while (committing) await committing;
      try {
        writer.run("PRAGMA optimize");
      } catch {
        // Statistics only: a disk that is full keeps nobody from stopping.
      }
      reader.close();
      writer.close();
    },
  };

  /** Never throws: whoever waits is answered by its own promise. */
  async function commitAllWaiting(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop lets every request that has already arrived join this commit.
      await new Promise(setImmediate);
      const units = waiting.slice(0, unitsPerCommitMax);
      waiting = waiting.slice(unitsPerCommitMax);
      await commitTogether(units);
    }
    committing = null;
  }

  async function commitTogether(units: Unit[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      await begin();
      for (const unit of units) answers.push(await runInSavepoint(unit));
      writer.run("COMMIT");
    } catch (error) {
      rollBack();
      for (const unit of units) unit.reject(asRefusal(error));
      return;
    }
    for (const answer of answers) answer();
  }

  async function begin(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += busyRetryMs) {
      try {
        if (writer.inTransaction) writer.run("ROLLBACK");
        writer.run("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error) || waitedMs >= writeWaitMsMax) throw error;
        await new Promise((resolve) => setTimeout(resolve, busyRetryMs));
      }
    }
  }

  function rollBack(): void {
    try {
      if (writer.inTransaction) writer.run("ROLLBACK");
    } catch {
      // A disk that fails may fail this too. Nothing was committed, and the next transaction begins with another attempt.
    }
  }

  /** Answers how to tell the unit's caller, once the commit is done. Throws when SQLite gave the whole commit up. */
  async function runInSavepoint(unit: Unit): Promise<() => void> {
    writer.run("SAVEPOINT unit");
    try {
      const result = await unit.work(write);
      writer.run("RELEASE unit");
      return () => unit.resolve(result);
    } catch (error) {
      if (!writer.inTransaction) throw error;
      writer.run("ROLLBACK TO unit");
      writer.run("RELEASE unit");
      return () => unit.reject(error);
    }
  }
}

function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, readwrite: true, strict: true });
  connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  connection.run("PRAGMA journal_mode = WAL");
  // FULL: an answer that says "done" is on the disk. At NORMAL a power cut lost acknowledged commits.
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  return connection;
}

function templateOn(connection: Connection): Sql {
  const run = createStatements(connection);
  return async <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => {
    try {
      return run(strings, values) as Row[];
    } catch (error) {
      throw asRefusal(error);
    }
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/** A disk that is full, failing or locked is an expected "no"; anything else SQLite says is a fault of ours, and stays one. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const outside = /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN)/.test(error.code ?? "");
  if (!outside) return error;
  return new Refusal(
    "STORAGE_UNAVAILABLE",
    "The server cannot write to its storage at the moment. Nothing was changed; please try again later.",
    { cause: error },
  );
}
