import { Database as Connection, SQLiteError } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { msPerDay } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { applicationId, type Migration } from "./applied-migrations.ts";
import { numberOutOfBounds } from "./column-bounds.ts";
import { releasedSchemaOf } from "./released-schema.ts";

const foreignSentence = "The file is not a database of Latchkey.";

/**
 * Asks of a file everything that a database of ours must be: ours, of a version that we know, whole, its tables and triggers to the
 * letter, every constraint kept, every balance the sum of its ledger. A backup is asked before it gets its name, and again before it is
 * restored, by this one function, so that what was backed up can be restored. Changes nothing. Throws `OperatorError`.
 *
 * The file must stand alone, without a journal beside it, and be writable: SQLite ignores CHECK constraints in a file that it cannot write.
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
  return (
    numberOutOfBounds(connection, schema) ??
    problemInLedger(connection) ??
    problemInTotals(connection) ??
    problemInOrders(connection)
  );
}

/** One pass over both tables: what the file says of its own statistics cannot make it slow. */
function problemInLedger(connection: Connection): string | null {
  const wrong = connection
    .query(
      `SELECT id FROM (
         SELECT id, credits_tenths AS tenths FROM resellers UNION ALL SELECT reseller_id, -amount_tenths FROM credit_ledger)
       GROUP BY id HAVING sum(tenths) <> 0 LIMIT 1`,
    )
    .get();
  return wrong === null ? null : "a balance is not the sum of its ledger";
}

/** An order has the keys and the price that it says, and they are its owner's. A file of before there were orders has none. */
function problemInOrders(connection: Connection): string | null {
  if (connection.query("SELECT 1 FROM sqlite_schema WHERE name = 'orders'").get() === null) return null;
  const wrong = connection
    .query(
      `SELECT 1 FROM (
         SELECT id, coalesce(reseller_id, 0) AS owner, key_count AS keys, cost_tenths AS cost FROM orders
         UNION ALL SELECT order_id, coalesce(reseller_id, 0), -1, 0 FROM license_keys WHERE order_id IS NOT NULL
         UNION ALL SELECT order_id, reseller_id, 0, amount_tenths FROM credit_ledger WHERE order_id IS NOT NULL)
       GROUP BY id, owner HAVING sum(keys) <> 0 OR sum(cost) <> 0 LIMIT 1`,
    )
    .get();
  return wrong === null ? null : "an order is not what its keys and its price come to";
}

function numberOf(connection: Connection, sql: string): number {
  const [[value] = []] = connection.query(sql).values();
  return Number(value);
}

/** The same for what is counted of the keys. A file of before there were totals gets them by the migration that brings them. */
function problemInTotals(connection: Connection): string | null {
  if (connection.query("SELECT 1 FROM sqlite_schema WHERE name = 'key_totals'").get() === null) return null;
  const keys = `SELECT coalesce(reseller_id, 0) AS owner, game, expires_at / ${msPerDay} AS day, 1 AS made, revoked_at IS NOT NULL AS revoked
    FROM license_keys`;
  const wrong = [
    `SELECT 1 FROM (${keys} UNION ALL SELECT owner, game, expiry_day, -made_count, -revoked_count FROM key_totals)
     GROUP BY owner, game, day HAVING sum(made) <> 0 OR sum(revoked) <> 0 LIMIT 1`,
    `SELECT 1 FROM (SELECT expiry_day, made_count, revoked_count FROM key_totals UNION ALL SELECT expiry_day, -made_count, -revoked_count FROM all_key_totals)
     GROUP BY expiry_day HAVING sum(made_count) <> 0 OR sum(revoked_count) <> 0 LIMIT 1`,
    `SELECT 1 FROM (SELECT owner, made_count FROM key_totals WHERE owner <> 0 UNION ALL SELECT id, -key_count FROM resellers)
     GROUP BY owner HAVING sum(made_count) <> 0 LIMIT 1`,
  ].some((query) => connection.query(query).get() !== null);
  return wrong ? "the totals of the keys are not what they come to" : null;
}
