import type { DatabaseEvent, Listener } from "../core/events.ts";
import type { Requester } from "../core/fair-semaphore.ts";

/**
 * The contract between the slices and a database engine. Slices know nothing else of the database.
 *
 * SQL is written once, in the dialect that SQLite and PostgreSQL share: RETURNING, ON CONFLICT, lower(), integers for
 * times (milliseconds), credits (tenths) and flags (0, 1). Conditions that a race could break are part of the
 * SQL, or are read in the same `transaction` as what they decide.
 */
export type SqlValue = string | number | null;

/** A piece of SQL for a larger statement: an optional condition, an order. Made by `part`, never from users' text. */
export interface SqlPart {
  readonly strings: readonly string[];
  readonly values: readonly (SqlValue | SqlPart)[];
}

export type SqlArgument = SqlValue | SqlPart;

/** A tagged template that returns rows: values become bound parameters, never text. */
export type Sql = <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => Promise<Row[]>;

/**
 * A long response, such as a whole list or a download, whose text is built where its rows are read. Another thread may
 * run it, so it is requested by name with plain data as its parameters. `query-worker.ts` lists all of them.
 */
export interface StreamQuery<Given = unknown> {
  name: string;
  /** Everything that `sql` reads is from the same instant. A piece is sent once the previous one has been consumed. */
  pieces(sql: Sql, given: Given): AsyncIterable<string | Uint8Array>;
}

/** Several statements that read one instant, requested by name like a stream. */
export interface SnapshotQuery<Given = unknown, Result = unknown> {
  name: string;
  run(sql: Sql, given: Given): Promise<Result>;
}

/** What a unit of work uses inside its transaction, and the only thing it may await. */
export interface Unit {
  sql: Sql;
  /**
   * Ends a SELECT whose rows no other transaction may change before this one commits. Empty on SQLite, which has one
   * writer.
   */
  readonly forShare: SqlPart;
  /**
   * Every store function that changes a key or its devices calls this. The cache evicts these keys before any caller
   * of the commit continues, so a revoked key cannot verify from memory. On PostgreSQL there is no such cache, and
   * this does nothing.
   */
  keyChanged(keyId: number): void;
  /** Publishes an event to the listeners of every process once the transaction is committed, and never if it is not. */
  publish(event: DatabaseEvent): void | Promise<void>;
}

export interface Database {
  /** The path of the database file; null on PostgreSQL, which has its own backups. */
  readonly file: string | null;
  /**
   * Reads what is committed: a look-up by an index that returns a few rows. On SQLite it blocks the thread that
   * handles requests. It never blocks a writer, and a writer's lock never blocks it.
   */
  readonly read: Sql;
  /**
   * The same for lists, searches and counts, on a worker thread, which adds about 50 µs. It sees everything that was
   * acknowledged before the call. Accounts take turns. Throws `TOO_MANY_TRIES` if too many queries of the account wait,
   * and `BUSY` if too many of all accounts do.
   */
  query(by: Requester): Sql;
  /** The same for several statements that read one instant. */
  snapshot<Given, Result>(query: SnapshotQuery<Given, Result>, given: Given, by: Requester): Promise<Result>;
  /**
   * Returns a long response piece by piece, no faster than it is consumed, so it may be larger than memory. Resolves
   * with the first piece, and throws what was thrown before it. A stream holds its snapshot, and with it the log of
   * later writes, so it is cut off if it lasts too long, is not read for too long, or makes the log too large. Waits
   * for a place, and throws like `query`.
   */
  stream<Given>(
    query: StreamQuery<Given>,
    given: Given,
    by: Requester,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Writes by one statement, which PostgreSQL runs as READ COMMITTED: for rate limits, on which no unit of work bases
   * a decision.
   */
  readonly write: Sql;
  /**
   * Runs `work` as if it were alone and resolves once what it wrote is on disk. If `work` throws, nothing that it
   * wrote remains, and the transaction throws the same error.
   *
   * Isolation is serializable: units take effect as if one after another, so `work` may read, decide and write. After
   * a conflict PostgreSQL undoes the unit and `work` runs again from its start. So it has no effects outside its
   * `unit`, awaits nothing else, and draws new random values on each run. Throws `BUSY` if it could not be committed
   * within 4 s.
   *
   * `queue` names the reseller, key or token (`reseller 7`, `key 12`) whose units run one after another in this
   * process, or is null.
   */
  transaction<Result>(queue: string | null, work: (unit: Unit) => Promise<Result>): Promise<Result>;
  /**
   * A number that changes when another process has written: a cache calls this before each use. Null if nothing may
   * be cached, because other processes write all the time or the engine cannot tell at the moment.
   */
  versionByOthers(): number | null;
  /**
   * From now on this listener receives the events that transactions of any process publish, in the order of their
   * commits.
   */
  subscribe(listener: Listener): void;
  /**
   * Runs `work` unless another process of this database is running work of the same name. For periodic jobs of the
   * server, and `withCommands` for what commands beside it do too.
   */
  exclusive(name: string, work: () => Promise<void>, withCommands?: boolean): Promise<void>;
  readonly probe: Probe;
  /**
   * For a server that stops. From now on waiting and new units are refused as `BUSY`. A commit that has begun is
   * finished. Returns a function that accepts writes again, for the server's own last ones.
   */
  refuseWork(): () => void;
  /**
   * Finishes what is waiting, then closes the files. After `msMax` they stay open until the process ends, because what
   * was committed is on disk.
   */
  close(msMax?: number): Promise<void>;
}

/** Whether the storage still works. Both use the disk itself, and throw if it fails. */
export interface Probe {
  read(): Promise<void>;
  /** Writes something that changes nothing. */
  write(): Promise<void>;
}

export function part(strings: TemplateStringsArray, ...values: SqlArgument[]): SqlPart {
  return { strings, values };
}

/** Joins a template and its parts into one text. `mark` returns the placeholder of the nth value, counted from 1. */
export function compose(template: SqlPart, mark: (place: number) => string = () => "?") {
  const values: SqlValue[] = [];
  return { text: textOf(template), values };

  function textOf({ strings, values: own }: SqlPart): string {
    let text = strings[0] ?? "";
    for (let index = 0; index < own.length; index += 1) {
      const value = own[index] as SqlArgument;
      text += isPart(value) ? textOf(value) : mark(values.push(value));
      text += strings[index + 1];
    }
    return text;
  }
}

export function isPart(value: SqlArgument): value is SqlPart {
  return typeof value === "object" && value !== null;
}

/** Joins at least one value or part with commas. */
export function listOf(values: SqlArgument[]): SqlPart {
  return { strings: ["", ...values.slice(1).map(() => ", "), ""], values };
}

/** Lists are padded to these lengths with their last value, so that few different statements are prepared. */
const listLengths = [1, 25, 200];

/** The ids or texts for `IN (…)`. */
export function listed(list: readonly number[] | readonly string[]): SqlPart {
  const length = listLengths.find((each) => each >= list.length) ?? Math.ceil(list.length / 500) * 500;
  // An empty list becomes IN (NULL), which matches nothing.
  const values = Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] ?? null);
  return listOf(values);
}

/** Each number of rows in a statement is another prepared statement, so rows are inserted in these numbers. */
const rowsAtOnce = [25, 1];

/** Splits rows into groups of few different sizes, for `VALUES ${listOf(…)}`. */
export function* inFewSizes<Row>(rows: readonly Row[]): Generator<Row[]> {
  let from = 0;
  for (const size of rowsAtOnce) {
    for (; from + size <= rows.length; from += size) yield rows.slice(from, from + size);
  }
}

/** The row of a statement that returns at most one. */
export async function firstOf<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null;
}

/** Whether a statement found or changed any row. */
export async function hasRows(rows: Promise<unknown[]>): Promise<boolean> {
  return (await rows).length > 0;
}

/** An empty part, for a condition that does not apply. */
export const nothing: SqlPart = part``;

/** A `LIKE` pattern for "contains this text", with `ESCAPE '\'`: wildcards in the text are literal. */
export function containing(text: string): string {
  return `%${withoutNul(text).replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * U+0000 ends a pattern in SQLite, and PostgreSQL refuses it in any text. U+0001 replaces it: stored texts that are
 * searched or sorted contain neither, and both sort before all other characters.
 */
export function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u0001") : text;
}
