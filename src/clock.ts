/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` asks the system. */
export type Now = () => number;

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;

/** ISO 8601 in UTC with milliseconds, the form of every time in the API. Each verification tells one, in a third of what `toISOString` takes. */
export function isoOf(ms: number): string {
  if (!(Number.isInteger(ms) && ms >= 0 && ms < plainYearsEndMs)) return new Date(ms).toISOString();
  const day = Math.floor(ms / msPerDay);
  const msOfDay = ms - day * msPerDay;
  const hour = Math.floor(msOfDay / msPerHour);
  const minute = Math.floor(msOfDay / msPerMinute) % 60;
  const second = Math.floor(msOfDay / msPerSecond) % 60;
  return `${dayText(day)}${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}.${Math.floor(ms / 100) % 10}${twoDigits[ms % 100]}Z`;
}

/** Years from then on are written with a sign and six digits. */
const plainYearsEndMs = Date.UTC(10_000, 0, 1);

const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/** Keys expire on few days. Whoever makes up more begins the memory anew. */
const dayTextsMax = 10_000;
const dayTexts = new Map<number, string>();

/** `2025-03-05T`, of a day's number since 1970. */
function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  if (dayTexts.size >= dayTextsMax) dayTexts.clear();
  const text = new Date(day * msPerDay).toISOString().slice(0, 11);
  dayTexts.set(day, text);
  return text;
}

/** A system clock that is less behind than this is only being put right, as NTP does all day; nobody needs to hear of it. */
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
