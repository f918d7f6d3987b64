import { atMost } from "../../core/clock.ts";
import type { Database } from "../contract.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";

/** The class of our advisory locks in a database; the hash of a name is the other half. */
const lockClass = 0x4c4b;

const unlockMsMax = 500;

/**
 * Waits for a lock, holds it on its own connection, and returns how to release it. The lock is released if the process
 * dies. The connection must be to the database itself: a pooler in transaction mode would hand the lock to another
 * client.
 */
export async function holdLock(url: string, name: string): Promise<() => Promise<void>> {
  const { release } = await locked(url, "SELECT pg_advisory_lock($1::int, hashtext($2))", name);
  return release;
}

/** `exclusive` of the contract. */
export function exclusiveOn(url: string): Database["exclusive"] {
  return async (name, work) => {
    const { row, release } = await locked(url, "SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS held", name);
    try {
      if (row.held) await work();
    } finally {
      await release();
    }
  };
}

/** The database takes a while to notice a closed connection, so the lock is released before. */
async function locked(url: string, statement: string, name: string) {
  const client = await connectToWriter(url);
  try {
    const connection = await client.reserve();
    const [row] = await connection.unsafe(statement, [lockClass, name]);
    const release = async () => {
      const unlock = "SELECT pg_advisory_unlock($1::int, hashtext($2))";
      if (row.held !== false) await atMost(unlockMsMax, connection.unsafe(unlock, [lockClass, name])).catch(() => {});
      await closeNow(client);
    };
    return { row, release };
  } catch (error) {
    await closeNow(client);
    throw error;
  }
}
