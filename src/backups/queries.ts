import type { SnapshotQuery } from "../db/contract.ts";
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
