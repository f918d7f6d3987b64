import { Database as Connection, SQLiteError } from "bun:sqlite";
import { Refusal } from "../core/refusal.ts";
import type { Sql, SqlArgument } from "./contract.ts";
import { createStatements } from "./statements.ts";

/** How long a write waits for another process (a command line at work beside the server) before it is refused. */
export const busyTimeoutMs = 5_000;

export function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, readwrite: true, strict: true });
  connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  connection.run("PRAGMA journal_mode = WAL");
  // FULL: an answer that says "done" is on the disk. At NORMAL a power cut lost acknowledged commits.
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  return connection;
}

export function connectToRead(file: string, cacheKib: number): Connection {
  const connection = connect(file);
  connection.run("PRAGMA query_only = ON");
  connection.run(`PRAGMA cache_size = -${cacheKib}`);
  return connection;
}

/** SQLite answers in this very turn, so there is nothing for an asynchronous function to wait for: one takes longer than a promise that is kept already. */
export function templateOn(connection: Connection): Sql {
  const run = createStatements(connection);
  return <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => {
    try {
      return Promise.resolve(run(strings, values) as Row[]);
    } catch (error) {
      return Promise.reject(asRefusal(error));
    }
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/** A disk that is full, failing or locked is an expected "no"; anything else SQLite says is a fault of ours, and stays one. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const outside = /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN)/.test(error.code ?? "");
  if (!outside) return error;
  return new Refusal(
    "STORAGE_UNAVAILABLE",
    "The server cannot write to its storage at the moment. Nothing was changed; please try again later.",
    { cause: error },
  );
}
