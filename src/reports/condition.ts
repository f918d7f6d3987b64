import { type Clock, isoOrNull, msPerDay } from "../core/clock.ts";
import type { Failures } from "../http/logging/security-log.ts";
import { type Condition, type FirstSteps, problems } from "./schema.ts";

/** rules.md: Condition. */
const backupDaysMax = 7;
const freeBytesMin = 512 * 1024 * 1024;

interface Dependencies {
  /** Whether the database is a server, whose backups this process does not know. */
  isBackedUpElsewhere: boolean;
  hasSchedule: boolean;
  /** The last good backup, and whether the next one is overdue. */
  lastBackup: () => Promise<{ at: number | null; isLate: boolean }>;
  failures: Failures;
  freeBytes: () => Promise<number | null>;
  clock: Pick<Clock, "now" | "isAhead">;
  /** How many two-factor secrets were sealed under another SECRET. */
  unopenedTwoFactor: () => Promise<number>;
  /** The same of the active and the next signing keys. */
  unopenedKeys: () => Promise<number>;
  /** How many of the admins' webhooks the server has switched off. */
  webhooksOff: () => Promise<number>;
  firstSteps: () => Promise<Omit<FirstSteps, "hasBackups">>;
}

/** Whether all is well: backups, disk space, failures, the clock, SECRET and webhooks. */
export function createCondition(given: Dependencies): () => Promise<Condition> {
  const { isBackedUpElsewhere, hasSchedule, clock } = given;
  return async () => {
    const now = clock.now();
    const [{ at: backupAt, isLate }, freeBytes, unopenedTwoFactor, unopenedKeys, webhooksOff, firstSteps] =
      await Promise.all([
        given.lastBackup(),
        given.freeBytes(),
        given.unopenedTwoFactor(),
        given.unopenedKeys(),
        given.webhooksOff(),
        given.firstSteps(),
      ]);
    const failures = given.failures.ofLastDay();
    const isClockAhead = clock.isAhead();
    const isOld = isLate || (backupAt !== null && backupAt <= now - backupDaysMax * msPerDay);
    const isWrong: Record<(typeof problems)[number], boolean> = {
      NO_BACKUP: !isBackedUpElsewhere && backupAt === null && !isLate,
      OLD_BACKUP: !isBackedUpElsewhere && isOld,
      DISK: freeBytes !== null && freeBytes < freeBytesMin,
      FAILURES: failures > 0,
      CLOCK: isClockAhead,
      SECRET: unopenedTwoFactor > 0 || unopenedKeys > 0,
      WEBHOOKS: webhooksOff > 0,
    };
    const found = problems.filter((problem) => isWrong[problem]);
    return {
      isWell: found.length === 0,
      problems: found,
      isBackedUpElsewhere,
      lastBackupAt: isoOrNull(backupAt),
      freeBytes,
      failures,
      isClockAhead,
      unopenedTwoFactor,
      unopenedKeys,
      webhooksOff,
      firstSteps: { ...firstSteps, hasBackups: isBackedUpElsewhere || hasSchedule || backupAt !== null },
    };
  };
}
