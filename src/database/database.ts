/**
 * The contract between the slices and a database engine. Slices know nothing else of it.
 *
 * SQL is written once, in the dialect that SQLite and PostgreSQL share: RETURNING, ON CONFLICT, lower(), integers for
 * times (milliseconds), credits (tenths) and flags (0, 1). Conditions that a race could break stand in the SQL itself.
 */
export type SqlValue = string | number | null;

/** A piece of SQL that is put into a larger one: an optional condition, an order. Made by `part`, never from text of others. */
export interface SqlPart {
  readonly strings: readonly string[];
  readonly values: readonly (SqlValue | SqlPart)[];
}

export type SqlArgument = SqlValue | SqlPart;

/** A tagged template that answers rows: values become bound parameters, never text. */
export type Sql = <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => Promise<Row[]>;

export interface Database {
  /** Reads what is committed. Never blocks a writer, and is never blocked by a writer's lock. */
  readonly read: Sql;
  /**
   * Runs `work` as if it were alone, and answers once what it wrote is on the disk. If `work` throws, nothing it wrote
   * remains, and the transaction throws the same.
   *
   * As if alone is serializable isolation: what `work` has read still holds at its commit, so it may read, decide, and write. An engine
   * that lets several write at once undoes a conflict and runs `work` again from its start. So `work` changes and tells nothing outside
   * its own `sql`; that is done after the commit. Nor does it await anything else: others wait behind it, and may share its commit.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * A number that is another one once another process has changed the database: whoever keeps something of it in memory asks this before
   * each use. `null` where nothing can be kept, because other processes write all the time or because the engine cannot tell.
   */
  versionByOthers(): number | null;
  /**
   * Reads of one and the same instant, however long they take and whatever is written meanwhile. For long reading
   * (a download): it holds a connection of its own until `work` is done.
   */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Finishes what is waiting, then lets go of the files. */
  close(): Promise<void>;
}

/** Answers once the engine does; throws where it does not. */
export async function ping(sql: Sql): Promise<void> {
  await sql`SELECT 1`;
}

export function part(strings: TemplateStringsArray, ...values: SqlArgument[]): SqlPart {
  return { strings, values };
}

/** A piece of SQL that adds nothing, for a condition that was not asked for. */
export const nothing: SqlPart = part``;

/** `LIKE` pattern for "contains this text" with `ESCAPE '\'`: the text's own wildcards are taken literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
