import { type Clock, isoOf, msPerDay } from "../core/clock.ts";
import type { Requester } from "../core/fair-semaphore.ts";
import type { Database } from "../db/contract.ts";
import type { Failures } from "../http/logging/security-log.ts";
import type { Condition } from "./schema.ts";
import { backupOnRecordAt } from "./store.ts";

/** rules.md: Condition. */
const backupDaysMax = 7;
const freeBytesMin = 512 * 1024 * 1024;

interface Dependencies {
  database: Database;
  /** Whether the database is a server, whose backups this process does not know. */
  isBackedUpElsewhere: boolean;
  /** The last backup of this process's schedule, and whether the next one is overdue. */
  lastBackup: () => { at: number | null; isLate: boolean };
  failures: Failures;
  freeBytes: () => Promise<number | null>;
  clock: Pick<Clock, "now" | "isAhead">;
  /** How many two-factor secrets were sealed under another SECRET. */
  unopenedTwoFactor: () => Promise<number>;
}

/** Whether all is well: backups, disk space, failures, the clock and SECRET. */
export function createCondition({
  database,
  isBackedUpElsewhere,
  lastBackup,
  failures,
  freeBytes,
  clock,
  unopenedTwoFactor,
}: Dependencies): (admin: Requester) => Promise<Condition> {
  return async (admin) => {
    const now = clock.now();
    const [onRecordAt, free, unopened] = await Promise.all([
      backupOnRecordAt(database.query(admin), now),
      freeBytes(),
      unopenedTwoFactor(),
    ]);
    const failed = failures.ofLastDay();
    const { at: ownAt, isLate } = lastBackup();
    const backupAt = Math.max(onRecordAt ?? 0, ownAt ?? 0);
    const isBackedUp = isBackedUpElsewhere || (backupAt > now - backupDaysMax * msPerDay && !isLate);
    const hasRoom = free === null || free >= freeBytesMin;
    const isClockAhead = clock.isAhead();
    return {
      isWell: isBackedUp && hasRoom && failed === 0 && !isClockAhead && unopened === 0,
      isBackedUpElsewhere,
      lastBackupAt: backupAt === 0 ? null : isoOf(backupAt),
      freeBytes: free,
      failures: failed,
      isClockAhead,
      unopenedTwoFactor: unopened,
    };
  };
}
