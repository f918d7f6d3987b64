import { getLogger } from "@logtape/logtape";
import { type Clock, isoOrNull, msPerDay, msPerMinute } from "../core/clock.ts";
import type { Failures } from "../http/logging/security-log.ts";
import { type Condition, type FirstSteps, problems } from "./schema.ts";

const log = getLogger(["latchkey", "database"]);

/** rules.md: Condition. */
const backupDaysMax = 7;
const freeBytesMin = 512 * 1024 * 1024;

const diskCheckMs = msPerMinute;

interface Dependencies {
  /** Whether the database is a server, whose backups this process does not know. */
  isBackedUpElsewhere: boolean;
  hasSchedule: boolean;
  /** The last good backup, and whether the next one is overdue. */
  lastBackup: () => Promise<{ at: number | null; isLate: boolean }>;
  failures: Failures;
  freeBytes: () => Promise<number | null>;
  clock: Pick<Clock, "now" | "isAhead">;
  isClockBehind: () => boolean;
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
      DISK: isLow(freeBytes),
      FAILURES: failures > 0,
      CLOCK: isClockAhead || given.isClockBehind(),
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

function isLow(freeBytes: number | null): boolean {
  return freeBytes !== null && freeBytes < freeBytesMin;
}

/** Logs once each time the problem `DISK` begins. */
export function createDiskWatch(freeBytes: Dependencies["freeBytes"]) {
  let wasLow = false;
  return {
    check,
    /** Checks every minute. Returns how to stop. */
    begin() {
      void check();
      const timer = setInterval(check, diskCheckMs).unref();
      return () => clearInterval(timer);
    },
  };

  async function check(): Promise<void> {
    const free = await freeBytes();
    if (isLow(free) && !wasLow) {
      const line = { event: "disk_low", freeBytes: free };
      log.warn("The disk of the database is nearly full: {freeBytes} bytes are free.", line);
    }
    wasLow = isLow(free);
  }
}
