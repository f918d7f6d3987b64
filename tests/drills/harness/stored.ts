import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { SQL } from "bun";
import { runLatchkey, sharedSecret } from "../../process.ts";
import type { Engine } from "./drill.ts";
import { holdIntegrity } from "./integrity.ts";

/** A database as a stranger finds it, whether its server runs or is gone. Questions are in the SQL that both engines share. */
export interface Stored {
  engine: Engine;
  count: (table: string) => Promise<number>;
  /** Which of the texts are so; a condition sees each of them as `value`. */
  which: (texts: string[], condition: string) => Promise<string[]>;
  /** Holds that all constraints are kept, every balance is its ledger, every count what it counts. The server is gone, or rests. */
  holdWhole: () => Promise<void>;
  /** Begins to write as another process would, so that the server's writes wait. Answers how to end it. */
  holdWrites: () => Promise<() => void>;
}

export function storedInFile(file: string): Stored {
  return {
    engine: "sqlite",
    count: async (table) => ask((connection) => connection.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0]),
    which: async (texts, condition) =>
      ask((connection) =>
        connection.query(`SELECT value FROM json_each(?) WHERE ${condition}`).values(JSON.stringify(texts)).flat(),
      ),
    holdWhole: () => holdIntegrity(file),
    async holdWrites() {
      const connection = new Connection(file);
      connection.run("BEGIN IMMEDIATE");
      return () => connection.close();
    },
  };

  // biome-ignore lint/suspicious/noExplicitAny: what a row holds is said by the question.
  function ask(question: (connection: Connection) => any) {
    // Of a server that was killed it has to read the log, for which SQLite writes an index beside it.
    const connection = new Connection(file, { readwrite: true, create: false });
    try {
      return question(connection);
    } finally {
      connection.close();
    }
  }
}

export function storedInPostgres(url: string): Stored & { end: () => Promise<void> } {
  const sql = new SQL(url, { max: 1 });
  return {
    engine: "postgres",
    count: async (table) => Number((await sql.unsafe(`SELECT count(*) AS count FROM ${table}`))[0].count),
    async which(texts, condition) {
      const told = "json_array_elements_text($1::text::json) AS told (value)";
      const rows = await sql.unsafe(`SELECT value FROM ${told} WHERE ${condition}`, [JSON.stringify(texts)]);
      return rows.map(({ value }: { value: string }) => value);
    },
    async holdWhole() {
      const environment = { DATABASE_URL: url, SECRET: sharedSecret };
      const { code, stderr } = await runLatchkey(["check"], { environment });
      assert.equal(code, 0, stderr);
    },
    async holdWrites() {
      const connection = new SQL(url, { max: 1 });
      await connection.unsafe("BEGIN; LOCK TABLE orders, key_devices, audit IN EXCLUSIVE MODE");
      return () => void connection.close({ timeout: 0 });
    },
    end: () => sql.close({ timeout: 0 }),
  };
}
