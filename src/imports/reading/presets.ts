import { deviceLimitUnlimited } from "../../catalogue/limits.ts";
import { hoursPerDay } from "../../core/clock.ts";
import type { Column } from "../../keys/export/columns.ts";

export interface Preset {
  /** A file is this panel's if it has all of these headings. */
  headings: string[];
  /** Our columns, where the panel's mean something else. `value` returns what a line has under a heading. */
  columns(value: (heading: string) => string): Partial<Record<Column, string>>;
}

/** The exports of other panels that are recognised by their headings (docs/operating.md: Files of other panels). */
const presets: Preset[] = [
  {
    // KeyAuth's `KeyAuthKeys.json`: a licence's `expiry` is its length in days, which its first use begins.
    headings: ["key", "level", "expiry"],
    columns: (value) => ({ expires: "", duration_hours: hoursIn(value("expiry")), starts: "first_use" }),
  },
  {
    // License Manager for WooCommerce: `expires_at` is empty until `valid_for`, in days, begins.
    headings: ["licensekey", "validfor", "timesactivatedmax"],
    columns: (value) => {
      const status = value("status").toUpperCase();
      return {
        ...(value("expiresat") === "" && { duration_hours: hoursIn(value("validfor")), starts: "first_use" }),
        device_limit: value("timesactivatedmax") || String(deviceLimitUnlimited),
        ...((status === "SOLD" || status === "DELIVERED") && { status: "ACTIVE" }),
        ...(status === "INACTIVE" && { status: "PAUSED" }),
      };
    },
  },
];

export function presetFor(plainHeadings: readonly string[]): Preset | undefined {
  return presets.find(({ headings }) => headings.every((heading) => plainHeadings.includes(heading)));
}

/** A part of an hour counts as the nearest whole one. Text that is no number is refused like any other duration. */
function hoursIn(days: string): string {
  const hours = Math.round(Number(days) * hoursPerDay);
  return days === "" || Number.isNaN(hours) ? days : String(Math.max(1, hours));
}
