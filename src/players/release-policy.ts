import { dayOf, msPerDay, msPerHour } from "../core/clock.ts";
import type { Closed, ReleasePolicy } from "./schema.ts";

const releasableCharactersMin = 12;

/** Keys with fewer characters can be guessed, so their devices are neither shown nor freed. */
export function isReleasable(keyText: string): boolean {
  return keyText.length >= releasableCharactersMin;
}

/** Releases are counted for so long. */
export const releasesCountMs = 30 * msPerDay;

/** What players are told before they free a device: the wait, and the quota where the wait alone allows more. */
export function releasePace({ cooldownHours, perThirtyDays }: ReleasePolicy) {
  if (cooldownHours === 0) return null;
  const allowedByWait = Math.ceil(releasesCountMs / (cooldownHours * msPerHour));
  return { cooldownHours, atMost: perThirtyDays < allowedByWait ? perThirtyDays : null };
}

/**
 * When players of a key may free its next device; null if they may now. `releases` are the instants of the past ones
 * within `releasesCountMs`, newest first.
 */
export function nextReleaseAt(
  { cooldownHours, perThirtyDays }: ReleasePolicy,
  releases: readonly number[],
  now: number,
): number | null {
  const [latest] = releases;
  const oldestCounted = releases[perThirtyDays - 1];
  const cooledDownAt = latest === undefined ? 0 : latest + cooldownHours * msPerHour;
  const quotaAt = oldestCounted === undefined ? 0 : oldestCounted + releasesCountMs;
  const at = Math.max(cooledDownAt, quotaAt);
  return at > now ? at : null;
}

/** The days since `lastSeenDay` on which the device could have been seen at any time and was not, today included. */
export function daysUnseen(lastSeenDay: number, closed: readonly Closed[], now: number): number {
  const today = dayOf(now);
  const closedDays = new Set<number>();
  for (const { beganAt, endedAt } of closed) {
    const last = Math.min(today, dayOf(endedAt ?? now));
    for (let day = Math.max(lastSeenDay + 1, dayOf(beganAt)); day <= last; day += 1) closedDays.add(day);
  }
  return Math.max(0, today - lastSeenDay) - closedDays.size;
}
