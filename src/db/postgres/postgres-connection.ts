import { connectSeconds } from "./postgres-pool.ts";

/** Gives `work` a connection of its own, outside of any pool, and ends it with whatever `work` left open. */
export async function withConnection<Result>(
  url: string,
  work: (connection: Bun.ReservedSQL) => Promise<Result>,
): Promise<Result> {
  const client = new Bun.SQL(url, { max: 1, bigint: true, connectionTimeout: connectSeconds });
  try {
    return await work(await client.reserve());
  } finally {
    await client.close({ timeout: 0 });
  }
}
