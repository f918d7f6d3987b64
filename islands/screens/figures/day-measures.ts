import type { Role } from "../../../src/accounts/schema.ts";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { countText, creditsText, dateText } from "../../format.ts";

/** What a chart, or columns of the table, show of each day. */
export interface Measure {
  title: string;
  format: (value: number) => string;
  /** Stacked in the chart, from the bottom to the top. */
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

/** Light and dark in turn, because neighbours in a bar must contrast (styles.test.ts). */
const verdicts = [
  verdict("Accepted", "text-active", "VALID"),
  verdict("Expired", "text-chart-red", "EXPIRED"),
  verdict("Revoked", "text-text", "REVOKED"),
  verdict("Paused", "text-chart-blue", "PAUSED"),
  {
    name: "Device limit or blocked",
    color: "text-brass",
    of: ({ verdicts }: Day) => verdicts.DEVICE_LIMIT_REACHED + verdicts.DEVICE_BLOCKED,
  },
  {
    name: "Maintenance or old version",
    color: "text-chart-violet",
    of: ({ verdicts }: Day) => verdicts.MAINTENANCE + verdicts.UPDATE_REQUIRED,
  },
];

/** An unknown key is no reseller's. */
const unknownKey = verdict("Unknown key", "text-chart-sky", "NOT_FOUND");

export const gameColors = ["text-brass", "text-chart-blue", "text-chart-sky", "text-chart-violet"];

export type Measures = Record<"keys" | "credits" | "verdicts", Measure>;

/** Sales by the games that were sold in these days, and verifications by their outcome. */
export function measuresFor(area: Role, days: readonly Day[]): Measures {
  const games = Object.keys(days.at(-1)?.keys ?? {}).filter((game) =>
    days.some(({ keys, credits }) => (keys[game] ?? 0) + (credits[game] ?? 0) > 0),
  );
  const byGame = (what: "keys" | "credits") =>
    games.map((name, index) => ({
      name,
      color: gameColors[index % gameColors.length] ?? "",
      of: (day: Day) => day[what][name] ?? 0,
    }));
  return {
    keys: { title: "Keys made", format: countText, parts: byGame("keys") },
    credits: { title: "Credits spent", format: creditsText, parts: byGame("credits") },
    verdicts: {
      title: "Verifications",
      format: countText,
      parts: area === "admin" ? [...verdicts, unknownKey] : verdicts,
    },
  };
}

export function sumOf({ parts }: Pick<Measure, "parts">, ...days: readonly Day[]): number {
  return days.flatMap((day) => parts.map(({ of }) => of(day))).reduce((total, value) => total + value, 0);
}

/** Days are counted and shown in UTC. */
export function dayText(day: string | undefined, format: "day" | "dateInWords" = "dateInWords"): string {
  return dateText(day, format, "UTC");
}
