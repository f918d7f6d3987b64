import { SQL } from "bun";
import type { Database, Reading, Sql } from "./database.ts";
import { connectSeconds, type Run } from "./postgres-pool.ts";
import { createStreams } from "./streams.ts";

/** Readings under way at once. Each holds a connection, beside those that everybody else takes turns at. */
const readingsMax = 4;

/** `stream` of the contract: each reading holds a connection, in a transaction of one instant, until it is over. */
export function createPostgresReadings({ url, sqlOn }: { url: string; sqlOn: (run: Run) => Sql }) {
  const streams = createStreams(readingsMax);
  const encoder = new TextEncoder();
  const memory = {};
  const underWay = new Set<Bun.SQL>();

  const stream: Database["stream"] = (reading, given, accountId) =>
    streams.open(accountId, () => begin(reading, given));

  return {
    stream,
    close: async () => void (await Promise.all([...underWay].map((client) => client.close({ timeout: 0 })))),
  };

  async function begin<Given>(reading: Reading<Given>, given: Given) {
    const client = new SQL(url, { max: 1, bigint: true, connectionTimeout: connectSeconds });
    underWay.add(client);
    const end = async () => {
      underWay.delete(client);
      await client.close({ timeout: 0 });
    };
    const connection = await client.reserve().catch(async (error) => {
      await end();
      throw error;
    });
    const run: Run = (text, values) => connection.unsafe(text, values);
    const sql = sqlOn(run);
    const pieces = reading.pieces(sql, given, memory)[Symbol.asyncIterator]();
    let isBegun = false;
    return {
      async next() {
        if (!isBegun) await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        isBegun = true;
        const { done, value } = await pieces.next();
        return done ? null : typeof value === "string" ? encoder.encode(value) : new Uint8Array(value);
      },
      end,
    };
  }
}
