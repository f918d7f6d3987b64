/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` asks the system. */
export type Now = () => number;

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
