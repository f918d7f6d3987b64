import { type Static, type TObject, Type } from "@sinclair/typebox";
import { hoursPerDay } from "../../core/clock.ts";
import { oneOf } from "../../core/field.ts";
import type { FieldProblem } from "../../core/refusal.ts";
import { withThousandsSeparators } from "../../core/text.ts";
import { adminDaysMax, hoursAtOnceMax } from "../limits.ts";

const maxOf = { days: adminDaysMax, hours: hoursAtOnceMax };

const mustBeWhole = "Must be a whole number";
const durationRequired = "Day selection is required";

/** How long, as admins type it; calls take hours. `lengthProblems` knows the range. */
export const lengthFields = {
  length: Type.Optional(Type.Number({ says: { wrong: mustBeWhole } })),
  /** Days where it is left out. */
  unit: Type.Optional(oneOf(["days", "hours"])),
};
type Length = Static<TObject<typeof lengthFields>>;

export function lengthProblems({ length = 0, unit = "days" }: Length): FieldProblem[] {
  const max = maxOf[unit];
  const message =
    length < 1
      ? `Must be at least 1 ${unit.slice(0, -1)}`
      : length > max
        ? `Must be at most ${withThousandsSeparators(max)} ${unit}`
        : mustBeWhole;
  return Number.isInteger(length) && length >= 1 && length <= max ? [] : [{ path: "length", message }];
}

/** Null while the length is missing or out of range. */
export function hoursIn(typed: Length): number | null {
  const { length = 0, unit } = typed;
  if (lengthProblems(typed).length > 0) return null;
  return unit === "hours" ? length : length * hoursPerDay;
}

/** How much time an extension gives: resellers choose a duration on sale, admins type a length. */
export const ExtensionForm = Type.Object({
  durationId: Type.Optional(Type.Integer({ says: { wrong: durationRequired } })),
  ...lengthFields,
});
export type ExtensionForm = Static<typeof ExtensionForm>;

/** For resellers; `lengthProblems` is for admins. */
export function durationProblems({ durationId }: { durationId?: number }): FieldProblem[] {
  return durationId === undefined ? [{ path: "durationId", message: durationRequired }] : [];
}
