import { hoursPerDay, msPerDay, msPerHour, msPerMinute } from "../../src/core/clock.ts";

/* Dates and durations in the player's language. The panel's own dates do without Intl (format.ts). */

/** A date with its time, in UTC or the reader's time zone, which is named. */
export function momentIn(language: string, instant: string, timeZone: "UTC" | undefined): string {
  return new Intl.DateTimeFormat(language, {
    ...({ year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" } as const),
    ...{ timeZone, timeZoneName: "short" },
  }).format(new Date(instant));
}

/** A UTC day. */
export function dayIn(language: string, day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

/** `30 days`, `23 hours, 5 minutes`, `1 minute`: at most two units, rounded up to minutes. */
export function durationIn(language: string, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / msPerMinute));
  const days = Math.floor((minutes * msPerMinute) / msPerDay);
  const hours = Math.floor((minutes * msPerMinute) / msPerHour) - days * hoursPerDay;
  const parts: [number, string][] = [
    [days, "day"],
    [hours, "hour"],
    [minutes % 60, "minute"],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  const texts = shown.map(([count, unit]) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count),
  );
  return new Intl.ListFormat(language, { type: "unit", style: "long" }).format(texts);
}
