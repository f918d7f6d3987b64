import type { SnapshotQuery, Sql, StreamQuery } from "../db/contract.ts";
import { linesOf } from "./lines.ts";
import { type CollectionRow, type Counted, collectionNames, countRows, summaryOf } from "./store.ts";

/** The latest counts. They live as long as the worker thread, which has one database. */
const latestCounts = new Map<string, Counted>();

/**
 * The summaries of all collections, in order. On PostgreSQL this runs in the main thread, which keeps nothing between
 * calls.
 */
export const collectionsQuery: SnapshotQuery<null, (CollectionRow & { count: number })[]> = {
  name: "collections",
  run: (sql) => summarize(sql, Bun.isMainThread ? new Map() : latestCounts),
};

/** `counts` are those of an earlier call, or empty. */
export async function summarize(
  sql: Sql,
  counts: Map<string, Counted>,
): Promise<(CollectionRow & { count: number })[]> {
  const rows = [];
  for (const name of collectionNames) {
    const now = await countRows(sql, name, counts.get(name) ?? null);
    counts.set(name, now);
    rows.push({ count: now.count, ...(await summaryOf(sql, name)) });
  }
  return rows;
}

/** One collection as a JSON array, one row a line. */
export const collectionStream: StreamQuery<{ name: string }> = {
  name: "collection",
  pieces: (sql, { name }) => linesOf(sql, name),
};

/** A zip of one JSON file per collection, and a manifest with counts and checksums. */
export const archiveStream: StreamQuery<{ createdAt: string }> = {
  name: "archive",
  async *pieces(sql, { createdAt }) {
    // Compression is loaded at the first download: an import would load it at every start.
    const { archiveOf } = await import("./archive.ts");
    yield* archiveOf(sql, createdAt);
  },
};
