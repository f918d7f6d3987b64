import { deviceLimitUnlimited } from "../../catalogue/limits.ts";
import { hoursPerDay, msPerHour, msPerSecond } from "../../core/clock.ts";
import type { Column } from "../../keys/export/columns.ts";

export interface Preset {
  /** A file is this panel's if it has all of these headings. */
  headings: string[];
  /** Our columns, where the panel's mean something else. `value` returns what a line has under a heading. */
  columns?(value: (heading: string) => string): Partial<Record<Column, string>>;
  /** Why a line becomes no key, in a sentence for people. `key` is the text of our column. */
  problem?(value: (heading: string) => string, key: string): string | null;
}

/** How KeyAuth's newer files begin, whose licences or users are in a list of one object. */
export const listInObject = /^\s*\{\s*"(keys|users)"\s*:\s*\[(?=\s*[{\]])/;

/** The exports of other panels that are recognised by their headings (docs/operating.md: Files of other panels). */
const presets: Preset[] = [
  {
    // KeyAuth's `KeyAuthKeys.json`: a licence's `expiry` is its length in days, which its first use begins. In newer
    // files, which have `gendate`, it is in seconds.
    headings: ["key", "level", "expiry"],
    columns: (value) => ({
      expires: "",
      duration_hours: hoursIn(value("expiry"), value("gendate") === "" ? hoursPerDay : msPerSecond / msPerHour),
      starts: "first_use",
      ...(value("status").toUpperCase() === "NOT USED" && { status: "ACTIVE" }),
    }),
    problem: (value) =>
      value("status").toUpperCase() === "USED"
        ? "This key has been used, and KeyAuth's file of keys has neither its devices nor its expiry."
        : null,
  },
  {
    // KeyAuth's `KeyAuthUsers.json`.
    headings: ["username", "hwid", "banned", "ip"],
    problem: (_value, key) =>
      key === "" ? "This is a user of KeyAuth and not a key. KeyAuth's keys are in KeyAuthKeys.json." : null,
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
function hoursIn(length: string, hoursPerUnit = hoursPerDay): string {
  const hours = Math.round(Number(length) * hoursPerUnit);
  return length === "" || Number.isNaN(hours) ? length : String(Math.max(1, hours));
}
