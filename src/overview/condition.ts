import { isoOf, msPerDay, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { Failures } from "../http/failures.ts";
import { lastBackupAt } from "./condition-store.ts";
import type { Condition } from "./schema.ts";

/** rules.md: Condition. */
const backupDaysMax = 7;
const freeBytesMin = 512 * 1024 * 1024;

/** Whether all is well: backups, room for more, and failures. */
export function createCondition({
  database,
  failures,
  freeBytes,
  now,
}: {
  database: Database;
  failures: Failures;
  freeBytes: () => Promise<number | null>;
  now: Now;
}): () => Promise<Condition> {
  return async () => {
    const [backupAt, free] = await Promise.all([lastBackupAt(database.scan), freeBytes()]);
    const failed = failures.ofLastDay();
    const isBackedUp = backupAt !== null && backupAt > now() - backupDaysMax * msPerDay;
    const hasRoom = free === null || free >= freeBytesMin;
    return {
      isWell: isBackedUp && hasRoom && failed === 0,
      lastBackupAt: backupAt === null ? null : isoOf(backupAt),
      freeBytes: free,
      failures: failed,
    };
  };
}
