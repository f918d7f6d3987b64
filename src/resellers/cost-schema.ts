import { Type } from "@sinclair/typebox";

/** What the caller of a call that spends expects it to cost (rules.md: Cost). */
export const expectedCost = {
  cost: Type.Optional(
    Type.Union([Type.Null(), Type.Number({ minimum: 0 })], {
      examples: [3],
      description: "The credits that the whole call may cost, with at most one decimal; null or no value: any",
      says: { wrong: "cost must be 0 or more credits" },
    }),
  ),
};
