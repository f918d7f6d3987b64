import type { Database } from "../contract.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";

/** The class of our advisory locks in a database; the hash of a name is the other half. */
const lockClass = 0x4c4b;

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

async function locked(url: string, statement: string, name: string) {
  const client = await connectToWriter(url);
  const release = () => closeNow(client);
  try {
    const connection = await client.reserve();
    const [row] = await connection.unsafe(statement, [lockClass, name]);
    return { row, release };
  } catch (error) {
    await release();
    throw error;
  }
}
