import { Type } from "@sinclair/typebox";
import { thousandsApart } from "./text.ts";

/** Credits are counted in integer tenths everywhere but in JSON, where they are numbers with at most one decimal. */
export const tenthsPerCredit = 10;

/** What one grant or one token's bonus may carry. */
export const creditsPerGrantMax = 1_000_000;

export const creditsPerGrantMaxText = thousandsApart(creditsPerGrantMax);

/** What a balance may reach, in tenths. Far below 2^53, so that sums stay exact integers. */
export const balanceTenthsMax = 1_000_000_000_000;

export const Credits = Type.Number({ description: "Credits, with at most one decimal", examples: [12.5] });

/** Credits as integer tenths, or `null` when they are finer than a tenth. */
export function tenthsOf(credits: number): number | null {
  const tenths = Math.round(credits * tenthsPerCredit);
  // Back again it is the same double, for every number of one decimal and for no other.
  return creditsOf(tenths) === credits ? tenths : null;
}

export function creditsOf(tenths: number): number {
  return tenths / tenthsPerCredit;
}
