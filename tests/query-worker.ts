import type { SnapshotQuery, StreamQuery } from "../src/db/contract.ts";
import { serveQueries } from "../src/db/worker/worker-thread.ts";

/**
 * Queries on the table `notes` for the worker's tests, which start this program instead of
 * `src/commands/query-worker.ts`.
 */
export const notesStream: StreamQuery<{ from: number }> = {
  name: "notes",
  async *pieces(sql, { from }) {
    const count = async () =>
      (await sql<{ text: string }>`SELECT text FROM notes WHERE id >= ${from} ORDER BY id`).length;
    yield `${await count()} `;
    yield `${await count()} `;
    yield new TextEncoder().encode("end");
  },
};

export const failingStream: StreamQuery<{ afterPieces: number }> = {
  name: "failing",
  async *pieces(sql, { afterPieces }) {
    for (let piece = 0; piece < afterPieces; piece += 1) yield "piece";
    await sql`SELECT * FROM no_such_table`;
  },
};

export const deadlyStream: StreamQuery<object> = {
  name: "deadly",
  // biome-ignore lint/correctness/useYield: the process exits first.
  async *pieces() {
    process.exit(1);
  },
};

let sum = 0;

export const sumQuery: SnapshotQuery<{ add: number }, { notes: number; sum: number }> = {
  name: "sum",
  async run(sql, { add }) {
    sum += add;
    if (sum < 0) await sql`SELECT * FROM no_such_table`;
    return { notes: (await sql`SELECT id FROM notes`).length, sum };
  },
};

serveQueries({
  snapshots: [sumQuery],
  streams: [notesStream, failingStream, deadlyStream],
});
