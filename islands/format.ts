import { deviceLimitUnlimited } from "../src/catalogue/limits.ts";
import { hoursPerDay, msPerDay, msPerMinute } from "../src/core/clock.ts";
import { withThousandsSeparators } from "../src/core/text.ts";

/**
 * Figures and dates as the panel writes them (rules.md: Dates and figures): en-US whatever the browser's language, and
 * without Intl (src/core/text.ts).
 */
export type DateFormat = "date" | "day" | "dateInWords" | "dateAndTime" | "instant";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * `date` is 03/05/2025, `day` Mar 05, `dateInWords` Mar 05, 2025, `dateAndTime` Mar 05, 14:07, `instant` Mar 05, 2025, 14:07; an
 * invalid date is N/A. Uses the browser's time zone, or UTC as the server does (see ui/time.tsx).
 */
export function dateText(instant: string | null | undefined, format: DateFormat = "date", timeZone?: "UTC"): string {
  const date = new Date(instant ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "N/A";
  // Shifted as if the local clock were UTC, so that its parts appear in the ISO text.
  const shownAt = timeZone === "UTC" ? date : new Date(date.getTime() - date.getTimezoneOffset() * msPerMinute);
  const [year, month, day, hours, minutes] = shownAt.toISOString().split(/\D/);
  if (format === "date") return `${month}/${day}/${year}`;
  const dayInWords = `${months[Number(month) - 1]} ${day}`;
  if (format === "day") return dayInWords;
  if (format === "dateInWords") return `${dayInWords}, ${year}`;
  const time = `${hours}:${minutes}`;
  return format === "dateAndTime" ? `${dayInWords}, ${time}` : `${dayInWords}, ${year}, ${time}`;
}

/** The time of today, `14:07`, or the day with it, `Mar 05, 14:07`. */
export const momentText = (instant: string, zone?: "UTC", now = new Date().toISOString()) =>
  dateText(instant, "dateAndTime", zone).slice(
    dateText(instant, "date", zone) === dateText(now, "date", zone) ? -"14:07".length : 0,
  );

export function countText(count: number): string {
  return withThousandsSeparators(Math.round(count));
}

/** `1 key`, `1,200 keys`. */
export function pluralText(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/**
 * `30 days left`, `1 day left`, `last day`: the dates that are still to come, in UTC, by which keys expire. So a key of
 * 30 days has 30 on the day it was made, whether it expires at the hour it was made at or at the end of its last day.
 */
export function daysLeftText(expiryDate: string, now = Date.now()): string {
  const days = Math.floor(Date.parse(expiryDate) / msPerDay) - Math.floor(now / msPerDay);
  return days > 0 ? `${pluralText(days, "day")} left` : "last day";
}

/** `30 days`, or `36 hours` where the hours are no whole days. */
export function durationText(hours: number): string {
  return hours % hoursPerDay === 0 ? pluralText(hours / hoursPerDay, "day") : pluralText(hours, "hour");
}

/** Instead of a date, for a key that has not started. */
export function firstUseText(durationHours: number | null): string {
  return `Starts at first use · ${durationText(durationHours ?? 0)}`;
}

/** The same within a sentence: `30 days from first use`. */
export function fromFirstUseText(durationHours: number | null): string {
  return `${durationText(durationHours ?? 0)} from first use`;
}

/** Credits have at most one decimal, and show it only where there is one: 12.5, 1,200. */
export function creditsText(credits: number): string {
  return withThousandsSeparators(Math.round(credits * 10) / 10);
}

/** `0.5 credits`, `1 credit`, `3 credits`. */
export function creditsWithUnit(credits: number): string {
  return `${creditsText(credits)} ${credits === 1 ? "credit" : "credits"}`;
}

const sizeUnits = ["Bytes", "KB", "MB", "GB"] as const;

/** Base 1024 with one decimal; bytes are whole. What would round to 1024.0 of a unit is 1.0 of the next. */
export function sizeText(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  while (unit < sizeUnits.length - 1 && (unit === 0 ? size >= 1024 : size >= 1023.95)) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(unit === 0 ? 0 : 1)} ${sizeUnits[unit]}`;
}

const keyCharactersShown = 20;

/** Key text is cut at 20 characters in tables (rules.md: Key lists). The whole key stays its accessible name. */
export function keyText(keyString: string): string {
  return keyString.length > keyCharactersShown ? `${keyString.slice(0, keyCharactersShown)}…` : keyString;
}

export function deviceLimitText(deviceLimit: number): string {
  return deviceLimit === deviceLimitUnlimited ? "Unlimited" : countText(deviceLimit);
}

/** `1 / 2`, and `3 / Unlimited` where the limit is 100. */
export function deviceUsageText(count: number, deviceLimit: number): string {
  return `${countText(count)} / ${deviceLimitText(deviceLimit)}`;
}
