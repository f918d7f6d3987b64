import type { Database } from "../contract.ts";
import { connectSeconds } from "./postgres-pool.ts";

/** Ours among the locks of a database; the name of each is its other half. */
const lockClass = 0x4c4b;

/**
 * Holds a lock for this process by a connection of its own, and answers how to let it go. A process that dies lets it go too. Where another
 * process has it, this one waits, or is answered `null`. The connection must be to the database itself: a pooler in transaction mode would
 * give the lock to whoever comes next.
 */
export async function holdLock(
  url: string,
  name: string,
  { waits }: { waits: boolean },
): Promise<(() => Promise<void>) | null> {
  const client = new Bun.SQL(url, { max: 1, connectionTimeout: connectSeconds });
  const letGo = () => client.close({ timeout: 0 });
  try {
    const connection = await client.reserve();
    if (waits) {
      await connection.unsafe("SELECT pg_advisory_lock($1::int, hashtext($2))", [lockClass, name]);
      return letGo;
    }
    const [row] = await connection.unsafe("SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS held", [
      lockClass,
      name,
    ]);
    if (row.held) return letGo;
  } catch (error) {
    await letGo();
    throw error;
  }
  await letGo();
  return null;
}

/** `exclusive` of the contract. */
export function exclusiveOn(url: string): Database["exclusive"] {
  return async (name, work) => {
    const letGo = await holdLock(url, name, { waits: false });
    if (!letGo) return;
    try {
      await work();
    } finally {
      await letGo();
    }
  };
}
