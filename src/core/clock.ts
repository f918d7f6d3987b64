/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` asks the system. */
export type Now = () => number;

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;

/** ISO 8601 in UTC with milliseconds, the form of every time in the API, as `toISOString` writes it. Each verification tells one, and this takes less time. */
export function isoOf(ms: number): string {
  if (!(Number.isInteger(ms) && ms >= 0 && ms < plainYearsEndMs)) return new Date(ms).toISOString();
  const day = Math.floor(ms / msPerDay);
  // A whole number of 32 bits: of any larger one a remainder takes as long as all the rest.
  const msOfDay = (ms - day * msPerDay) | 0;
  const dayBegins = charactersOfDay(day);
  for (let at = 0; at < timeAt; at += 1) form[at] = dayBegins[at] as number;
  writeTwoDigits(timeAt, Math.floor(msOfDay / msPerHour));
  writeTwoDigits(timeAt + 3, Math.floor(msOfDay / msPerMinute) % 60);
  writeTwoDigits(timeAt + 6, Math.floor(msOfDay / msPerSecond) % 60);
  writeTwoDigits(timeAt + 9, Math.floor(msOfDay / 10) % 100);
  form[timeAt + 11] = zero + (msOfDay % 10);
  return ascii.decode(form);
}

/** Years from then on are written with a sign and six digits. */
const plainYearsEndMs = Date.UTC(10_000, 0, 1);

/** The time that is being written. All of it becomes a text at once: one of many pieces is put together where it is sent, for longer than this takes. */
const form = new TextEncoder().encode("2025-03-05T00:00:00.000Z");
const timeAt = form.indexOf("T".charCodeAt(0)) + 1;
const zero = "0".charCodeAt(0);
const ascii = new TextDecoder();

function writeTwoDigits(at: number, number: number): void {
  form[at] = zero + Math.floor(number / 10);
  form[at + 1] = zero + (number % 10);
}

/** Keys expire on few days. Whoever makes up more begins the memory anew. */
const daysMax = 10_000;
const days = new Map<number, Uint8Array>();

/** The first instant of a day, by its number since 1970, as it is written. */
function charactersOfDay(day: number): Uint8Array {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= daysMax) days.clear();
  const characters = new TextEncoder().encode(new Date(day * msPerDay).toISOString());
  days.set(day, characters);
  return characters;
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
