import { type AuditedChanges, type Caller, notedDownload } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { archiveStream, collectionStream, collectionsQuery } from "./queries.ts";
import type { Collection } from "./schema.ts";
import { collectionNames } from "./store.ts";

export type Backup = ReturnType<typeof createBackup>;

/** Downloads for admins: every collection without its secrets. `latchkey backup` makes the operator's full backup. */
export function createBackup({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  return {
    async collections(admin: Caller): Promise<Collection[]> {
      const summaries = await database.snapshot(collectionsQuery, null, admin);
      return summaries.map(({ count, rowBytes, modifiedAt }, index) => ({
        name: collectionNames[index] as string,
        count,
        size: Math.round(count * rowBytes),
        modified: modifiedAt === null ? null : isoOf(modifiedAt),
      }));
    },

    /** Returns the collection as JSON. Throws `NOT_FOUND`. */
    async download(admin: Caller, name: string) {
      if (!collectionNames.includes(name)) throw new Refusal("NOT_FOUND", "There is no such collection.");
      const content = await database.stream(collectionStream, { name }, admin);
      return notedDownload(
        changes,
        admin,
        { action: "data_downloaded", target: `collection ${name}`, details: {} },
        content,
      );
    },

    /** Returns a zip of one JSON file per collection, all of one instant, and a manifest with counts and checksums. */
    async downloadAll(admin: Caller) {
      const createdAt = isoOf(now());
      const content = await database.stream(archiveStream, { createdAt }, admin);
      return {
        filename: `latchkey-backup-${createdAt.slice(0, 19).replaceAll(":", "-")}Z.zip`,
        content: await notedDownload(
          changes,
          admin,
          { action: "data_downloaded", target: "all collections", details: {} },
          content,
        ),
      };
    },
  };
}
