import { endOfDay, instantIn, msPerDay } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import { expiryDaysMax } from "../keys/limits.ts";

/**
 * The instant that an admin's `expiryDate` means, in milliseconds. A bare date is the end of that day in UTC; a time
 * without a zone is in UTC. Throws `INVALID` unless it lies in the future, at most 366 days away (rules.md: Making admin keys).
 */
export function expiryOf(expiryDate: string, now: number): number {
  const instant = instantIn(expiryDate.trim());
  if (!instant) throw invalid("Expiry date must be an ISO date or date-time");
  const at = instant.isDate ? endOfDay(instant.at) : instant.at;
  if (at <= now) throw invalid("Expiry date must be in the future");
  const lastInstant = now + expiryDaysMax * msPerDay;
  const latest = instant.isDate ? endOfDay(lastInstant) : lastInstant;
  if (at > latest) throw invalid(`Expiry date must be at most ${expiryDaysMax} days away`);
  return at;
}

function invalid(message: string): Refusal {
  return new Refusal("INVALID", message, { errors: [{ path: "expiryDate", message }] });
}
