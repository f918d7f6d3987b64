import { Type } from "@sinclair/typebox";
import { instantIn } from "./clock.ts";
import { nonBlank } from "./field.ts";
import { type FieldProblem, refuseProblems } from "./refusal.ts";

const sentenceFor = (name: string) => `${name} must be an ISO date or date-time`;

const bound = (name: string, meaning: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      description: `${meaning}, an ISO date (its beginning, in UTC) or date-time`,
      examples: [example],
      says: { wrong: sentenceFor(name) },
    }),
  );

/** Limits a list to a period. */
export const periodFields = {
  from: bound("from", "The start, inclusive", "2025-03-05"),
  to: bound("to", "The end, exclusive", "2025-03-06"),
};

export interface Period {
  from?: number;
  /** Exclusive. */
  to?: number;
}

/** Throws `INVALID` for any other text. */
export function periodIn(query: { from?: string; to?: string }): Period {
  const problems: FieldProblem[] = [];
  const instant = (path: "from" | "to") => {
    const text = nonBlank(query[path]);
    const found = text === undefined ? undefined : instantIn(text);
    if (found === null) problems.push({ path, message: sentenceFor(path) });
    return found?.at;
  };
  const period = { from: instant("from"), to: instant("to") };
  refuseProblems(problems);
  return period;
}
