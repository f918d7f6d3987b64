import type { SnapshotQuery, StreamQuery } from "../db/contract.ts";
import { linesOf } from "./lines.ts";
import { type CollectionRow, type Counted, collectionNames, countRows, summaryOf } from "./store.ts";

/** The counts of the latest look, of each database. */
const countedBy = new WeakMap<object, Map<string, Counted>>();

/** What the list of collections says of each, in their order. */
export const collectionsQuery: SnapshotQuery<null, (CollectionRow & { count: number })[]> = {
  name: "collections",
  async run(sql, _given, memory) {
    const counted = (memory && countedBy.get(memory)) ?? new Map<string, Counted>();
    if (memory) countedBy.set(memory, counted);
    const rows = [];
    for (const name of collectionNames) {
      const now = await countRows(sql, name, counted.get(name) ?? null);
      counted.set(name, now);
      rows.push({ count: now.count, ...(await summaryOf(sql, name)) });
    }
    return rows;
  },
};

/** One collection as a JSON array, one row a line. */
export const collectionStream: StreamQuery<{ name: string }> = {
  name: "collection",
  pieces: (sql, { name }) => linesOf(sql, name),
};

/** A zip of one JSON file per collection, and a manifest with counts and checksums. */
export const archiveStream: StreamQuery<{ createdAt: string }> = {
  name: "archive",
  async *pieces(sql, { createdAt }) {
    // What compresses is loaded where there is a download: with the program, it would be by every start.
    const { archiveOf } = await import("./archive.ts");
    yield* archiveOf(sql, createdAt);
  },
};
