import type { StreamQuery } from "../db/contract.ts";
import { linesOf } from "./lines.ts";

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
