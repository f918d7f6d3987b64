import { Type } from "@sinclair/typebox";
import { oneOf } from "../core/field.ts";

/* Apart from the schemas of the catalogue, which the forms that check these fields do not load. */

/** How a duration is named (rules.md: Catalogue). */
export const durationFields = {
  days: Type.Optional(
    Type.Integer({
      examples: [30],
      description: "The duration of so many days; either this or durationId",
      says: { wrong: "Invalid day tier selected" },
    }),
  ),
  durationId: Type.Optional(
    Type.Integer({ examples: [4], description: "The same by its id", says: { wrong: "Invalid day tier selected" } }),
  ),
};

export function deviceLimitOneOf<const Limits extends readonly number[]>(limits: Limits) {
  return oneOf(limits, {
    examples: [1],
    says: { required: "Device limit is required", wrong: `Device limit must be one of ${limits.join(", ")}` },
  });
}
