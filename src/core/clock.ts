/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` asks the system. */
export type Now = () => number;

/** The time of a server (rules.md: The clock). */
export interface Clock {
  /** Does not run backwards. */
  now: Now;
  /** What is kept for a limited time is erased by this one. It is 0 while the system's clock is ahead, when nothing is old. */
  retentionNow: Now;
  /** Whether the system's clock is more than 31 days ahead of the newest row and the newest backup. */
  isAhead(): boolean;
}

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;

/** ISO 8601 in UTC with milliseconds, the form of every time in the API. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A system clock that is less behind than this is being corrected, as NTP does all day, and is not worth a log line. */
const behindMsMin = msPerSecond;

/**
 * A clock that stands still while the system's is behind the latest time it has told, or behind `startingAt`: so no expired key revives
 * because a clock was set back. `fallenBehind` hears of it once, until the system's has caught up.
 */
export function neverBackwards({
  system,
  startingAt,
  fallenBehind,
}: {
  system: Now;
  startingAt: number;
  fallenBehind: (behind: { systemMs: number; latestMs: number }) => void;
}): Now {
  let latestMs = startingAt;
  let isBehind = false;

  return () => {
    const systemMs = system();
    if (systemMs >= latestMs) {
      latestMs = systemMs;
      isBehind = false;
    } else if (!isBehind && latestMs - systemMs >= behindMsMin) {
      isBehind = true;
      fallenBehind({ systemMs, latestMs });
    }
    return latestMs;
  };
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** An ISO date or date-time from a request. A bare date is the beginning of that day. */
export interface Instant {
  at: number;
  isDate: boolean;
}

/** `null` for what is neither. A date, and a time without a zone, are in UTC. */
export function instantIn(text: string): Instant | null {
  const isDate = isoDate.test(text);
  if (!isDate && !isoDateTime.test(text)) return null;
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March; a date that does not come back as it went in is none.
  if (Number.isNaN(day) || isoOf(day).slice(0, 10) !== text.slice(0, 10)) return null;
  const at = isDate ? day : Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? null : { at, isDate };
}

/** The last millisecond of the day, in UTC. */
export function endOfDay(at: number): number {
  return Math.floor(at / msPerDay) * msPerDay + msPerDay - 1;
}

/** A timer takes no more, and begins at once where it is given more. */
const timerMsMax = 2 ** 31 - 1;

/** Waits for work until it is done, or for so long: then the work goes on by itself. Throws what it throws meanwhile. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.max(0, ms), timerMsMax));
  });
  // A failure after the time is up is ignored.
  work.catch(() => {});
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
