import type { Listener, News } from "../core/news.ts";

/**
 * The contract between the slices and a database engine. Slices know nothing else of it.
 *
 * SQL is written once, in the dialect that SQLite and PostgreSQL share: RETURNING, ON CONFLICT, lower(), integers for
 * times (milliseconds), credits (tenths) and flags (0, 1). Conditions that a race could break stand in the SQL itself, or are
 * asked in the same `transaction` as what they decide.
 */
export type SqlValue = string | number | null;

/** A piece of SQL that is put into a larger one: an optional condition, an order. Made by `part`, never from text of others. */
export interface SqlPart {
  readonly strings: readonly string[];
  readonly values: readonly (SqlValue | SqlPart)[];
}

export type SqlArgument = SqlValue | SqlPart;

/** A tagged template that returns rows: values become bound parameters, never text. */
export type Sql = <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => Promise<Row[]>;

/**
 * A long answer whose text is put together where its rows are read: a whole list, a download. It is asked for by name, because it may be
 * carried out by another thread (`query-worker.ts` lists all of them); so what it is given is plain data.
 */
export interface Reading<Given = unknown> {
  name: string;
  /** All that `sql` reads is of one and the same instant. A piece is sent when the one before it has been taken. */
  pieces(sql: Sql, given: Given): AsyncIterable<string | Uint8Array>;
}

/** A question of several statements that is answered at once, asked for by name like a reading. */
export interface Question<Given = unknown, Answer = unknown> {
  name: string;
  /**
   * All that `sql` reads is of one and the same instant. `memory` is one and the same object for all questions of a
   * database: what is remembered from one to the next is kept by it. It is `null` where questions are answered by the
   * thread that answers verifications.
   */
  answer(sql: Sql, given: Given, memory: object | null): Promise<Answer>;
}

/** What a unit of work uses inside its transaction, and the only thing it may await. */
export interface Unit {
  sql: Sql;
  /** Ends a SELECT whose rows no other transaction may change until this one is committed. Empty on SQLite, which has one writer. */
  readonly forShare: SqlPart;
  /**
   * Every store function that changes a key or its devices calls this. The cache evicts these keys before any caller of the commit
   * continues, so a revoked key cannot verify from memory. On PostgreSQL there is no such cache, and this does nothing.
   */
  keyChanged(keyId: number): void;
  /** Publishes an event to the listeners of every process once the transaction is committed, and never if it is not. */
  publish(event: News): void | Promise<void>;
}

export interface Database {
  /** The file that it is in, of which the server can make backups; `null` where the database is a server, which has backups of its own. */
  readonly file: string | null;
  /**
   * Reads what is committed: a look-up by an index that answers a handful of rows. It is carried out where verifications are answered,
   * and holds them up while it lasts. Never blocks a writer, and is never blocked by a writer's lock.
   */
  readonly read: Sql;
  /**
   * The same for what lists, searches or counts. It is carried out elsewhere and holds nobody up, at the price of the way there (some
   * 50 µs). What was acknowledged before it was asked, it sees. Throws `BUSY` where too many wait.
   */
  readonly query: Sql;
  /** The same for what takes several statements, or is known by memory. */
  snapshot<Given, Answer>(question: Question<Given, Answer>, given: Given): Promise<Answer>;
  /**
   * Writes by one statement, which PostgreSQL runs as READ COMMITTED: for rate limits, on which no unit of work bases a decision.
   */
  readonly write: Sql;
  /**
   * Runs `work` as if it were alone and resolves once what it wrote is on disk. If `work` throws, nothing that it wrote remains, and the
   * transaction throws the same error.
   *
   * Isolation is serializable: units take effect as if one after another, so `work` may read, decide and write. After a conflict PostgreSQL
   * undoes the unit and `work` runs again from its start, so it has no effects outside its `unit`, awaits nothing else, and draws new random
   * values on each run. Throws `BUSY` if it could not be committed within 4 s.
   *
   * `queue` names the reseller, key or token (`reseller 7`, `key 12`) whose units run one after another in this process, or is null.
   */
  transaction<Result>(queue: string | null, work: (unit: Unit) => Promise<Result>): Promise<Result>;
  /** From now on this listener receives what transactions publish, in the order of their commits, from every process. */
  subscribe(listener: Listener): void;
  /**
   * Runs `work` unless another process of this database is at work under the same name: what the server does by itself from time to time is
   * done by one process.
   */
  exclusive(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * A number that changes when another process has written: a cache asks for it before each use. It is null where nothing can be kept,
   * because other processes write all the time or because the engine cannot tell at present.
   */
  versionByOthers(): number | null;
  /**
   * What a reading answers, piece by piece and no faster than it is taken, so that it may be longer than memory. Answers once the first
   * piece is there: what a reading throws before that, this throws. A reading holds its instant, and with it what is written meanwhile, so
   * one that lasts too long or is not taken for too long is cut off. Throws `BUSY` where too many last already, of all or of this account.
   */
  stream<Given>(
    reading: Reading<Given>,
    given: Given,
    accountId: number,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  readonly probe: Probe;
  /**
   * For a server that stops: from now on nothing is begun. Who waits for a turn, a connection or a scan is refused as `BUSY`, and so is who comes; what is
   * under way is finished. Answers how to take writes again, for those that the server itself has left.
   */
  refuseWork(): () => void;
  /**
   * Finishes what is waiting, then lets go of the files. Where that takes longer than `msMax`, they are left to the process's end: what was
   * committed is on the disk.
   */
  close(msMax?: number): Promise<void>;
}

/** Whether the storage still does what it is there for: each asks the disk itself, and throws where it does not answer. */
export interface Probe {
  read(): Promise<void>;
  /** Writes something that changes nothing. */
  write(): Promise<void>;
}

export function part(strings: TemplateStringsArray, ...values: SqlArgument[]): SqlPart {
  return { strings, values };
}

/** Joins a template and its parts into one text. `mark` writes the placeholder of the nth value, counted from 1. */
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

function isPart(value: SqlArgument): value is SqlPart {
  return typeof value === "object" && value !== null;
}

/** Values or pieces with commas between them, of which there is one at least. */
export function listOf(values: SqlArgument[]): SqlPart {
  return { strings: ["", ...values.slice(1).map(() => ", "), ""], values };
}

/** A piece of SQL that adds nothing, for a condition that was not asked for. */
export const nothing: SqlPart = part``;

/** `LIKE` pattern for "contains this text" with `ESCAPE '\'`: the text's own wildcards are taken literally. */
export function containing(text: string): string {
  return `%${withoutNul(text).replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * U+0000 ends a pattern of SQLite's, and PostgreSQL refuses it in any text. U+0001 is sent in its place: neither stands in a text that is
 * searched or sorted by, and both come before all that does.
 */
export function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u0001") : text;
}
