import { msPerDay } from "../src/clock.ts";
import { deviceLimitUnlimited } from "../src/keys/limits.ts";

/**
 * Figures and dates as the panel writes them (rules.md: Figures and dates): en-US whatever the browser's language.
 * Dates are in the browser's time zone unless one is named, which the server does with UTC (see ui/time.tsx).
 */
export type DateFormat = "date" | "dateInWords" | "dateAndTime" | "instant";

const dateParts: Record<DateFormat, Intl.DateTimeFormatOptions> = {
  date: { month: "2-digit", day: "2-digit", year: "numeric" },
  dateInWords: { month: "short", day: "2-digit", year: "numeric" },
  dateAndTime: { month: "short", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  instant: {
    month: "short",
    day: "2-digit",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  },
};

/** A formatter takes longer to make than to use a thousand times, and lists have thousands of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * `date` is 03/05/2025, `dateInWords` Mar 05, 2025, `dateAndTime` Mar 05, 14:07, `instant` Mar 05, 2025, 14:07; what is no instant is
 * N/A.
 */
export function dateText(instant: string | null | undefined, format: DateFormat = "date", timeZone?: string): string {
  const date = new Date(instant ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "N/A";
  const name = `${format} ${timeZone ?? ""}`;
  let formatter = formatters.get(name);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US", { ...dateParts[format], timeZone });
    formatters.set(name, formatter);
  }
  return formatter.format(date);
}

// Made when they are first wanted: the server loads this file too, and the first use of Intl takes 4 ms of its start.
let wholeNumber: Intl.NumberFormat | undefined;
let tenths: Intl.NumberFormat | undefined;

export function countText(count: number): string {
  wholeNumber ??= new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  return wholeNumber.format(count);
}

/** `1 key`, `1,200 keys`. */
export function pluralText(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/**
 * `30 days left`, `1 day left`, `last day`: the dates that are still to come, in UTC, by which keys expire. So a key of 30 days has 30
 * on the day it was made, whether it expires at the hour it was made at or at the end of its last day.
 */
export function daysLeftText(expiryDate: string, now = Date.now()): string {
  const days = Math.floor(Date.parse(expiryDate) / msPerDay) - Math.floor(now / msPerDay);
  return days > 0 ? `${pluralText(days, "day")} left` : "last day";
}

/** Credits have at most one decimal, and show it only where there is one: 12.5, 1,200. */
export function creditsText(credits: number): string {
  tenths ??= new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
  return tenths.format(credits);
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

/** Key text is cut at 20 characters in tables (rules.md: Shown keys). The whole key stays its accessible name. */
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
