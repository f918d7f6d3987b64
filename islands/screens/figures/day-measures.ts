import type { Role } from "../../../src/accounts/schema.ts";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { countText, creditsText, dateText } from "../../format.ts";

/** What a chart, or columns of the table, show of each day. */
export interface Measure {
  title: string;
  format: (value: number) => string;
  /** Stacked in the chart. A single part has no name. */
  parts: readonly Part[];
}

export interface Part {
  name: string;
  /** The class of its colour. */
  color: string;
  of: (day: Day) => number;
}

const verdict = (name: string, color: string, code: keyof Day["verdicts"]): Part => {
  return { name, color, of: ({ verdicts }) => verdicts[code] };
};

const whole = (of: Part["of"]): Part[] => [{ name: "", color: "text-brass", of }];

const refusals = [
  verdict("Expired", "text-expired", "EXPIRED"),
  verdict("Revoked", "text-revoked", "REVOKED"),
  verdict("Device limit", "text-brass", "DEVICE_LIMIT_REACHED"),
  {
    name: "Maintenance or old version",
    color: "text-muted",
    of: ({ verdicts }: Day) => verdicts.MAINTENANCE + verdicts.UPDATE_REQUIRED,
  },
];

/** An unknown key is no reseller's. */
const unknownKey = verdict("Unknown key", "text-other", "NOT_FOUND");

export function measuresFor(area: Role): Measure[] {
  return [
    { title: "Keys made", format: countText, parts: whole(({ keys }) => sum(Object.values(keys))) },
    { title: "Credits spent", format: creditsText, parts: whole(({ credits }) => sum(Object.values(credits))) },
    { title: "Verifications accepted", format: countText, parts: whole(({ verdicts }) => verdicts.VALID) },
    {
      title: "Verifications refused",
      format: countText,
      parts: area === "admin" ? [...refusals, unknownKey] : refusals,
    },
  ];
}

export function sumOf({ parts }: Pick<Measure, "parts">, ...days: readonly Day[]): number {
  return sum(days.flatMap((day) => parts.map(({ of }) => of(day))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Days are counted and shown in UTC. */
export function dayText(day: string | undefined, format: "day" | "dateInWords" = "dateInWords"): string {
  return dateText(day, format, "UTC");
}
