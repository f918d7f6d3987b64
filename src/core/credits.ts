import { Type } from "@sinclair/typebox";
import { withThousandsSeparators } from "./text.ts";

/** Credits are counted in integer tenths everywhere except in JSON, where they are numbers with at most one decimal. */
export const tenthsPerCredit = 10;

/** The largest grant or token bonus. */
export const creditsPerGrantMax = 1_000_000;

export const creditsPerGrantMaxText = withThousandsSeparators(creditsPerGrantMax);

/** For the refusal of a text that is no number, or that could mean two: 1.000. */
export const creditsExample = "such as 1000 or 12.5";

/** The largest balance, in tenths. Far below 2^53, so sums stay exact integers. */
export const balanceTenthsMax = 1_000_000_000_000;

export const Credits = Type.Number({ description: "Credits, with at most one decimal", examples: [12.5] });

/** Credits as integer tenths, or null if they are finer than a tenth. */
export function tenthsOf(credits: number): number | null {
  const tenths = Math.round(credits * tenthsPerCredit);
  // Only numbers with at most one decimal are the same double after the round trip.
  return creditsOf(tenths) === credits ? tenths : null;
}

export function creditsOf(tenths: number): number {
  return tenths / tenthsPerCredit;
}
