import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { SQL } from "bun";
import { runLatchkey, sharedSecret } from "../../process.ts";
import type { Engine } from "./drill.ts";
import { assertIntegrity } from "./integrity.ts";

/** Direct access to a server's database, whether the server runs or not. Queries use SQL that both engines accept. */
export interface StoredDatabase {
  engine: Engine;
  count: (table: string) => Promise<number>;
  /** The texts that satisfy the SQL condition, in which each text is `value`. */
  which: (texts: string[], condition: string) => Promise<string[]>;
  /** Asserts that constraints hold and that balances and counts are right. The server must be stopped or idle. */
  assertIntegrity: () => Promise<void>;
  /**
   * Holds a write lock from another connection, so that the server's writes wait. Returns a function that releases it.
   */
  blockWrites: () => Promise<() => void>;
}

export function storedInFile(file: string): StoredDatabase {
  return {
    engine: "sqlite",
    count: async (table) => ask((connection) => connection.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0]),
    which: async (texts, condition) =>
      ask((connection) =>
        connection.query(`SELECT value FROM json_each(?) WHERE ${condition}`).values(JSON.stringify(texts)).flat(),
      ),
    assertIntegrity: () => assertIntegrity(file),
    async blockWrites() {
      const connection = new Connection(file);
      connection.run("BEGIN IMMEDIATE");
      return () => connection.close();
    },
  };

  // biome-ignore lint/suspicious/noExplicitAny: a row's content depends on the query.
  function ask(question: (connection: Connection) => any) {
    // To read the write-ahead log of a killed server, SQLite must be able to write its index file.
    const connection = new Connection(file, { readwrite: true, create: false });
    try {
      return question(connection);
    } finally {
      connection.close();
    }
  }
}

export function storedInPostgres(url: string): StoredDatabase & { end: () => Promise<void> } {
  const sql = new SQL(url, { max: 1 });
  return {
    engine: "postgres",
    count: async (table) => Number((await sql.unsafe(`SELECT count(*) AS count FROM ${table}`))[0].count),
    async which(texts, condition) {
      const values = "json_array_elements_text($1::text::json) AS given (value)";
      const rows = await sql.unsafe(`SELECT value FROM ${values} WHERE ${condition}`, [JSON.stringify(texts)]);
      return rows.map(({ value }: { value: string }) => value);
    },
    async assertIntegrity() {
      const environment = { DATABASE_URL: url, SECRET: sharedSecret };
      const { code, stderr } = await runLatchkey(["check"], { environment });
      assert.equal(code, 0, stderr);
    },
    async blockWrites() {
      const connection = new SQL(url, { max: 1 });
      await connection.unsafe("BEGIN; LOCK TABLE orders, key_devices, audit IN EXCLUSIVE MODE");
      return () => void connection.close({ timeout: 0 });
    },
    end: () => sql.close({ timeout: 0 }),
  };
}
