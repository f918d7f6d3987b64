import type { Database, Sql, StreamQuery } from "../contract.ts";
import { createStreams } from "../streams.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";
import { unreachable } from "./postgres-faults.ts";
import type { Run } from "./postgres-pool.ts";

/** Streams open at once, five of them resellers'. Each holds a connection outside the pool. */
const streamsMax = 6;

/** How long one statement of a stream may take, before its connection counts as dead. */
const statementMsMax = 30_000;

/** `stream` of the contract: each holds a connection, with a transaction that sees one instant, until it ends. */
export function createPostgresStreams({ url, sqlOn }: { url: string; sqlOn: (run: Run) => Sql }) {
  const streams = createStreams(streamsMax);
  const encoder = new TextEncoder();
  const clients = new Set<Bun.SQL>();
  const idle = new Set<Bun.SQL>();

  const stream: Database["stream"] = (query, given, by) => streams.open(by, () => begin(query, given));

  return {
    stream,
    async close() {
      streams.close();
      await Promise.all([...clients].map(giveUp));
    },
  };

  async function begin<Given>(query: StreamQuery<Given>, given: Given) {
    const client = takeIdle() ?? (await connect());
    const connection = await client.reserve().catch(async (error) => {
      await giveUp(client);
      throw error;
    });
    const run: Run = async (text, values) => {
      const tooLong = setTimeout(() => giveUp(client), statementMsMax);
      return connection.unsafe(text, values).finally(() => clearTimeout(tooLong));
    };
    const pieces = query.pieces(sqlOn(run), given)[Symbol.asyncIterator]();
    let isBegun = false;
    return {
      async next() {
        if (!isBegun) await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        isBegun = true;
        const { done, value } = await pieces.next();
        return done ? null : typeof value === "string" ? encoder.encode(value) : new Uint8Array(value);
      },
      async end() {
        try {
          await run("ROLLBACK");
          connection.release();
          if (clients.has(client)) idle.add(client);
        } catch {
          await giveUp(client);
        }
      },
    };
  }

  function takeIdle(): Bun.SQL | undefined {
    const [client] = idle;
    if (client) idle.delete(client);
    return client;
  }

  async function connect(): Promise<Bun.SQL> {
    const client = await connectToWriter(url, () => giveUp(client)).catch((error) => {
      throw unreachable(error);
    });
    clients.add(client);
    return client;
  }

  async function giveUp(client: Bun.SQL): Promise<void> {
    clients.delete(client);
    idle.delete(client);
    await closeNow(client);
  }
}
