import { type Static, Type } from "@sinclair/typebox";
import { Credits, creditsExample, creditsPerGrantMax, creditsPerGrantMaxText, tenthsOf } from "../core/credits.ts";
import { oneOf, optionalNote, textOrNull } from "../core/field.ts";
import type { FieldProblem } from "../core/refusal.ts";
import { Instant, pagingFields, searchField } from "../http/schema.ts";

/** In characters. */
export const labelCharactersMax = 60;

const exampleLabel = "for Ana";

export const Token = Type.Object({
  id: Type.Integer({ examples: [5] }),
  token: Type.String({ examples: ["hK3vWq8ZsT2mXc7RbN4pLd"] }),
  createdAt: Instant,
  usedBy: textOrNull("night.owl"),
  credits: Credits,
  isUsed: Type.Boolean(),
  label: textOrNull(exampleLabel, "Null if there is none"),
});
export type Token = Static<typeof Token>;

/** Credits are optional, numeric, at least 0, and no finer than a tenth (rules.md: Referral tokens). */
export const TokenOrder = Type.Object({
  credits: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: creditsPerGrantMax,
      examples: [10],
      says: {
        tooSmall: "Credits must be at least 0",
        tooLarge: `Credits must be at most ${creditsPerGrantMaxText}`,
        wrong: `Credits must be a number, ${creditsExample}`,
      },
    }),
  ),
  label: optionalNote("Label", exampleLabel, labelCharactersMax),
});
export type TokenOrder = Static<typeof TokenOrder>;

/**
 * Checked apart from the schema, because JSON Schema's `multipleOf` is wrong about tenths, which are no exact doubles.
 */
export function problemsInTokenOrder({ credits = 0 }: TokenOrder): FieldProblem[] {
  const fine = tenthsOf(credits) !== null;
  return fine ? [] : [{ path: "credits", message: "Credits may have at most one decimal" }];
}

export const IssuedToken = Type.Object({ token: Token });

export const TokenListQuery = Type.Object({
  status: Type.Optional(oneOf(["used", "available", "all"], { says: { wrong: "status must be used or available" } })),
  ...searchField("Part of the token, its label or the username that used it"),
  ...pagingFields,
});
export type TokenListQuery = Static<typeof TokenListQuery>;
