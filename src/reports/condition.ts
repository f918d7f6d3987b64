import { type Clock, isoOf, msPerDay } from "../core/clock.ts";
import type { Failures } from "../http/logging/security-log.ts";
import type { Condition } from "./schema.ts";

/** rules.md: Condition. */
const backupDaysMax = 7;
const freeBytesMin = 512 * 1024 * 1024;

interface Dependencies {
  /** Whether the database is a server, whose backups this process does not know. */
  isBackedUpElsewhere: boolean;
  /** The last good backup, and whether the next one is overdue. */
  lastBackup: () => Promise<{ at: number | null; isLate: boolean }>;
  failures: Failures;
  freeBytes: () => Promise<number | null>;
  clock: Pick<Clock, "now" | "isAhead">;
  /** How many two-factor secrets were sealed under another SECRET. */
  unopenedTwoFactor: () => Promise<number>;
}

/** Whether all is well: backups, disk space, failures, the clock and SECRET. */
export function createCondition({
  isBackedUpElsewhere,
  lastBackup,
  failures,
  freeBytes,
  clock,
  unopenedTwoFactor,
}: Dependencies): () => Promise<Condition> {
  return async () => {
    const now = clock.now();
    const [{ at: backupAt, isLate }, free, unopened] = await Promise.all([
      lastBackup(),
      freeBytes(),
      unopenedTwoFactor(),
    ]);
    const failed = failures.ofLastDay();
    const isBackedUp = isBackedUpElsewhere || ((backupAt ?? 0) > now - backupDaysMax * msPerDay && !isLate);
    const hasRoom = free === null || free >= freeBytesMin;
    const isClockAhead = clock.isAhead();
    return {
      isWell: isBackedUp && hasRoom && failed === 0 && !isClockAhead && unopened === 0,
      isBackedUpElsewhere,
      lastBackupAt: backupAt === null ? null : isoOf(backupAt),
      freeBytes: free,
      failures: failed,
      isClockAhead,
      unopenedTwoFactor: unopened,
    };
  };
}
