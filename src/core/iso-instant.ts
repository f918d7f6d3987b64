import { isoOf, msPerDay } from "./clock.ts";

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** An ISO date or date-time that somebody sent. A bare date is the beginning of that day. */
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
