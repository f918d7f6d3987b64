import { hoursPerDay, msPerDay, msPerHour, msPerMinute } from "../../src/core/clock.ts";

/* Dates and durations in the player's language. The panel's own dates do without Intl (format.ts). */

/** A date with its time, in UTC or the reader's time zone, which is named. */
export function momentIn(language: string, instant: string, timeZone: "UTC" | undefined): string {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return kept(Intl.DateTimeFormat, language, { ...day, ...time, timeZone }).format(new Date(instant));
}

/** A UTC day. */
export function dayIn(language: string, day: string): string {
  return kept(Intl.DateTimeFormat, language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

const formats = new Map<string, unknown>();

/** Keeps formats, because creating one takes up to milliseconds and a page may list a hundred devices. */
function kept<Options, Format>(
  Format: new (language: string, options: Options) => Format,
  language: string,
  options: Options,
): Format {
  const name = JSON.stringify([Format.name, language, options]);
  const format = (formats.get(name) as Format | undefined) ?? new Format(language, options);
  formats.set(name, format);
  return format;
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
    kept(Intl.NumberFormat, language, { style: "unit", unit, unitDisplay: "long" }).format(count),
  );
  return kept(Intl.ListFormat, language, { type: "unit", style: "long" }).format(texts);
}
