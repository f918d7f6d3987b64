import { isoOf, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import { archiveReading, collectionReading } from "./readings.ts";
import type { Collection } from "./schema.ts";
import { collectionNames, summaryOf } from "./store.ts";

/** What admins download: every collection without its secrets. The operator's full backup is `latchkey backup`. */
export interface Backup {
  collections(): Promise<Collection[]>;
  /** The collection as JSON. Throws `NOT_FOUND`, `BUSY` or `STORAGE_UNAVAILABLE`. */
  download(name: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** All of them, of one instant. Throws `BUSY` or `STORAGE_UNAVAILABLE`. */
  downloadAll(): Promise<{ filename: string; archive: ReadableStream<Uint8Array<ArrayBuffer>> }>;
}

export function createBackup({ database, now }: { database: Database; now: Now }): Backup {
  return {
    async collections() {
      const summaries = await Promise.all(collectionNames.map((name) => summaryOf(database.scan, name)));
      return summaries.map(({ count, rowBytes, modifiedAt }, index) => ({
        name: collectionNames[index] as string,
        count,
        size: Math.round(count * rowBytes),
        modified: modifiedAt === null ? null : isoOf(modifiedAt),
      }));
    },

    async download(name) {
      if (!collectionNames.includes(name)) throw new Refusal("NOT_FOUND", "There is no such collection.");
      return database.stream(collectionReading, { name });
    },

    async downloadAll() {
      const createdAt = isoOf(now());
      return {
        filename: `latchkey-backup-${createdAt.slice(0, 19).replaceAll(":", "-")}Z.zip`,
        archive: await database.stream(archiveReading, { createdAt }),
      };
    },
  };
}
