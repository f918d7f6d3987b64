/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` reads the system's clock. */
export type Now = () => number;

/** The time of a server (rules.md: The clock). */
export interface Clock {
  /** Never runs backwards. */
  now: Now;
  /** Retention goes by this time. It is 0 while the system's clock is ahead, so nothing counts as old. */
  retentionNow: Now;
  /** Whether the system's clock is more than 31 days ahead of the newest row and the newest backup. */
  isAhead(): boolean;
}

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const hoursPerDay = 24;
export const msPerDay = hoursPerDay * msPerHour;

/** ISO 8601 in UTC with milliseconds, the form of every time in the API. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The number of a UTC day since 1970, as stores keep it. */
export function dayOf(ms: number): number {
  return Math.floor(ms / msPerDay);
}

/** `2025-11-25` */
export function dateOf(day: number): string {
  return isoOf(day * msPerDay).slice(0, 10);
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms);
}

/** NTP corrects clocks all day. A system clock that is less behind than this is not worth a log line. */
const behindMsMin = msPerSecond;

/**
 * A clock that stands still while the system's is behind the latest time it has returned, or behind `startingAt`, so
 * setting the clock back revives no expired key. `fallenBehind` is called once each time.
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

/** Whether a clock that never runs backwards stands still until the system's has caught up. */
export function isBehind(system: Now, now: Now): boolean {
  return now() - system() >= behindMsMin;
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** An ISO date or date-time from a request. A bare date is the beginning of that day. */
export interface Instant {
  at: number;
  isDate: boolean;
}

/** Returns null for any other text. A date, and a time without a zone, are in UTC. */
export function instantIn(text: string): Instant | null {
  const isDate = isoDate.test(text);
  if (!isDate && !isoDateTime.test(text)) return null;
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March; a date that does not survive the round trip is invalid.
  if (Number.isNaN(day) || isoOf(day).slice(0, 10) !== text.slice(0, 10)) return null;
  const at = isDate ? day : Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? null : { at, isDate };
}

/** The last millisecond of the day, in UTC. */
export function endOfDay(at: number): number {
  return Math.floor(at / msPerDay) * msPerDay + msPerDay - 1;
}

/** Throws an error with this message if the work takes longer. It then continues unobserved. */
export function within<Result>(ms: number, work: Promise<Result>, message: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The longest timer. A longer one would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Waits for work until it is done or the time is up; then the work continues unobserved. Throws what the work throws in
 * time.
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.max(0, ms), timerMsMax));
  });
  // A failure after the time is up is ignored.
  work.catch(() => {});
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
