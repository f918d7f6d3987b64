import { deviceLimitUnlimited } from "../../catalogue/limits.ts";
import { hoursPerDay } from "../../core/clock.ts";
import type { Column } from "../../keys/export/columns.ts";
import type { Values } from "./headings.ts";

interface Preset {
  /** A file is this panel's if it has all of these headings. */
  headings: string[];
  /** Our columns, where the panel's mean something else. */
  columns(values: Values): Partial<Record<Column, string>>;
}

/** The exports of other panels that are recognised by their headings (docs/operating.md: Move here). */
const presets: Preset[] = [
  {
    // KeyAuth's `KeyAuthKeys.json`: a licence's `expiry` is its length in days, which its first use begins.
    headings: ["key", "level", "expiry"],
    columns: (values) => ({ expires: "", duration_hours: hoursIn(values.get("expiry")), starts: "first_use" }),
  },
  {
    // License Manager for WooCommerce: `expires_at` is empty until `valid_for`, in days, begins.
    headings: ["licensekey", "validfor", "timesactivatedmax"],
    columns: (values) => {
      const status = values.get("status")?.toUpperCase();
      return {
        ...(!values.get("expiresat") && { duration_hours: hoursIn(values.get("validfor")), starts: "first_use" }),
        device_limit: values.get("timesactivatedmax") || String(deviceLimitUnlimited),
        ...((status === "SOLD" || status === "DELIVERED") && { status: "ACTIVE" }),
        ...(status === "INACTIVE" && { status: "PAUSED" }),
      };
    },
  },
];

export function presetFor(has: (heading: string) => boolean): Preset | undefined {
  return presets.find(({ headings }) => headings.every(has));
}

/** A part of an hour counts as the nearest whole one. Text that is no number is refused like any other duration. */
function hoursIn(days = ""): string {
  const hours = Math.round(Number(days) * hoursPerDay);
  return days === "" || Number.isNaN(hours) ? days : String(Math.max(1, hours));
}
