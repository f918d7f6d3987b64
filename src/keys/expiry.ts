import { isoOf, msPerDay } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import { expiryDaysMax } from "./limits.ts";

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The instant that an admin's `expiryDate` means, in milliseconds. A bare date is the end of that day in UTC; a time
 * without a zone is in UTC. Throws `INVALID` unless it lies in the future, at most 366 days away (decisions.md 3).
 */
export function expiryOf(expiryDate: string, now: number): number {
  const text = expiryDate.trim();
  const at = instantOf(text);
  if (at === null) throw invalid("Expiry date must be an ISO date or date-time");
  if (at <= now) throw invalid("Expiry date must be in the future");
  const lastInstant = now + expiryDaysMax * msPerDay;
  const latest = isoDate.test(text) ? endOfDay(lastInstant) : lastInstant;
  if (at > latest) throw invalid(`Expiry date must be at most ${expiryDaysMax} days away`);
  return at;
}

function instantOf(text: string): number | null {
  if (!isoDate.test(text) && !isoDateTime.test(text)) return null;
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March; a date that does not come back as it went in is none.
  if (Number.isNaN(day) || isoOf(day).slice(0, 10) !== text.slice(0, 10)) return null;
  if (isoDate.test(text)) return endOfDay(day);
  const at = Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? null : at;
}

function endOfDay(at: number): number {
  return Math.floor(at / msPerDay) * msPerDay + msPerDay - 1;
}

function invalid(message: string): Refusal {
  return new Refusal("INVALID", message, { errors: [{ path: "expiryDate", message }] });
}
