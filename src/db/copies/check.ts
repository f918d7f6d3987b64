import { Database as Connection, SQLiteError } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { OperatorError } from "../../core/operator-error.ts";
import { applicationId, type Migration } from "../migrate/applied-migrations.ts";
import { releasedSchemaOf } from "../migrate/released-schema.ts";
import { numberOutOfBounds } from "./column-bounds.ts";
import { contentRules } from "./content-rules.ts";

const foreignSentence = "The file is not a database of Latchkey.";

/**
 * Asks of a file everything that a database of ours must be: ours, of a version that we know, whole, its tables and triggers to the
 * letter, every constraint kept, every balance the sum of its ledger. A backup is asked before it gets its name, and again before it is
 * restored, by this one function, so that what was backed up can be restored. Changes nothing. Throws `OperatorError`.
 *
 * Where others may have prepared it, the file must stand alone, without a journal beside it. It must be writable: SQLite ignores CHECK
 * constraints in a file that it cannot write.
 */
export function checkDatabase(file: string, migrations: Migration[]): void {
  accessSync(file, constants.W_OK);
  const connection = openUntrusted(file);
  try {
    connection.run("PRAGMA query_only = ON");
    if (numberOf(connection, "PRAGMA application_id") !== applicationId) {
      throw new OperatorError(foreignSentence);
    }
    const schema = releasedSchemaOf(connection, migrations);
    const problem = problemInContent(connection, schema);
    schema.close();
    if (problem) throw new OperatorError(`The database is damaged: ${problem}.`);
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    connection.close();
  }
}

/** A file that somebody may have prepared: nothing in its schema may do more than hold data, and its pages are looked at twice. */
export function openUntrusted(file: string): Connection {
  const connection = new Connection(file, { readwrite: true, create: false });
  connection.run("PRAGMA trusted_schema = OFF");
  connection.run("PRAGMA cell_size_check = ON");
  return connection;
}

/** What SQLite says of a file that is foreign or damaged, for the operator. A disk that is full or fails is another matter, and stays. */
export function sentenceFor(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  if (error.code === "SQLITE_NOTADB") return new OperatorError(foreignSentence);
  if (/^SQLITE_(FULL|IOERR|NOMEM|READONLY|CANTOPEN|BUSY)/.test(error.code ?? "")) return error;
  return new OperatorError("The database is damaged or cut short.");
}

function problemInContent(connection: Connection, schema: Connection): string | null {
  const [[integrity = "no answer to integrity_check"] = []] = connection.query("PRAGMA integrity_check(1)").values();
  if (integrity !== "ok") return String(integrity);
  if (connection.query("PRAGMA foreign_key_check").get() !== null) return "a row refers to one that is not there";
  return numberOutOfBounds(connection, schema) ?? problemInRows(connection);
}

/** Of an older version, what it knows. A migration brings the rest. What the file says of its own statistics cannot make a rule slow. */
function problemInRows(connection: Connection): string | null {
  const known = new Set(connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values().flat());
  const broken = contentRules.find(({ table, broken }) => known.has(table) && connection.query(broken).get() !== null);
  return broken?.problem ?? null;
}

function numberOf(connection: Connection, sql: string): number {
  const [[value] = []] = connection.query(sql).values();
  return Number(value);
}
