import { Database as Connection, SQLiteError, type Statement } from "bun:sqlite";
import { Refusal } from "../core/refusal.ts";
import { compose, isPart, type Sql, type SqlArgument, type SqlPart, type SqlValue } from "./contract.ts";

/** How long a write waits for another process, such as a command, before it is refused. */
export const busyTimeoutMs = 5_000;

/** Filters and orders produce few different statements, so this bound is rarely reached. */
const preparedMax = 500;

export function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, readwrite: true, strict: true });
  connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  connection.run("PRAGMA journal_mode = WAL");
  // With NORMAL a power cut lost acknowledged commits.
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  // As on PostgreSQL. Searched texts are folded already, and LIKE is faster this way.
  connection.run("PRAGMA case_sensitive_like = ON");
  return connection;
}

export function connectToRead(file: string, cacheKib: number): Connection {
  const connection = connect(file);
  connection.run("PRAGMA query_only = ON");
  connection.run(`PRAGMA cache_size = -${cacheKib}`);
  return connection;
}

interface Reading {
  /** Called before each statement. */
  before?: () => void;
  /** A connection that only reads, where a statement runs the first time. One that writes fails, and is not kept. */
  firstOn?: Connection;
}

/** Not an async function, which would cost more than the promise alone: SQLite returns within the call. */
export function templateOn(connection: Connection, { before = () => {}, firstOn }: Reading = {}): Sql {
  const run = preparedOn(connection, firstOn);
  const start: Place = {};
  return <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => {
    try {
      before();
      const bound: SqlValue[] = [];
      const place = placeOf({ strings, values }, start, bound);
      if (place?.text !== undefined) return Promise.resolve(run(place.text, bound) as Row[]);
      const composed = compose({ strings, values });
      if (place) place.text = composed.text;
      return Promise.resolve(run(composed.text, composed.values) as Row[]);
    } catch (error) {
      return Promise.reject(asRefusal(error));
    }
  };
}

/** Reached through the templates and the values of a statement in their order, which determine its text. */
interface Place {
  text?: string;
  afterValue?: Place;
  afterTemplate?: WeakMap<readonly string[], Place>;
}

/**
 * A template and its parts have the same strings arrays at each call, so their text is composed once. Only a list has
 * new ones: a statement with a list has no place.
 */
function placeOf({ strings, values }: SqlPart, from: Place, bound: SqlValue[]): Place | null {
  if (!("raw" in strings)) return null;
  from.afterTemplate ??= new WeakMap();
  let place: Place | null = from.afterTemplate.get(strings) ?? {};
  from.afterTemplate.set(strings, place);
  for (const value of values) {
    if (isPart(value)) {
      place = placeOf(value, place, bound);
      if (place === null) return null;
    } else {
      bound.push(value);
      place = place.afterValue ??= {};
    }
  }
  return place;
}

/** Runs statements on a connection, or the first time on `firstOn`, and keeps the latest of them prepared. */
export function preparedOn(
  connection: Connection,
  firstOn?: Connection,
): (text: string, values: SqlValue[]) => unknown[] {
  const prepared = new Map<string, Statement>();
  return (text, values) => {
    let statement = prepared.get(text);
    if (!statement) {
      const oldest = prepared.size >= preparedMax ? prepared.entries().next().value : undefined;
      if (oldest) {
        oldest[1].finalize();
        prepared.delete(oldest[0]);
      }
      const rows = firstOn?.prepare(text).all(...values);
      statement = connection.prepare(text);
      prepared.set(text, statement);
      if (rows) return rows;
    }
    return statement.all(...values);
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/** A full, failing or locked disk becomes a refusal. Any other SQLite error is our own fault and is not translated. */
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
