import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Credits } from "../core/credits.ts";
import { numberInText, oneOf, orNull } from "../core/field.ts";
import { rowsPerPageMax, searchCharactersMax } from "./limits.ts";

/** ISO 8601 in UTC, with milliseconds. */
export const Instant = Type.String({ format: "date-time", examples: ["2025-03-05T14:30:00.000Z"] });
export const InstantOrNull = orNull(Instant);

/**
 * The form of every failure (rules.md: Failure): `code` is stable and for machines, `message` is a sentence for people.
 */
export const Failure = Type.Object({
  message: Type.String({ description: "A sentence for people" }),
  code: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: "The invalid fields, if validation failed",
    }),
  ),
  cost: Type.Optional({ ...Credits, description: "What the call would cost, if it is more than the caller expected" }),
  allowedAt: Type.Optional({ ...Instant, description: "When the next device may be freed, if it is too soon" }),
});
export type Failure = Static<typeof Failure>;

/** The schema of a body or response, for a route that both roles have in different shapes. */
export type SchemaOf<Shape> = TSchema & { static: Shape };

export const Message = Type.Object({ message: Type.String() });

/** An id in a path. Anything that is not a positive integer is an unknown id, a 404. */
export const Id = numberInText("^[1-9][0-9]{0,14}$", { minimum: 1, maximum: 999_999_999_999_999, examples: ["42"] });

export const IdParams = Type.Object({ id: Id });

/** The search text of a list. `description` says which columns it searches. */
export function searchField(description: string) {
  const says = { tooLarge: `Search text must be at most ${searchCharactersMax} characters` };
  return { search: Type.Optional(Type.String({ maxLength: searchCharactersMax, description, says })) };
}

/** The optional paging that every list takes (rules.md: Lists). Without `limit` a list is returned whole. */
export const pagingFields = {
  limit: Type.Optional(
    numberInText("^([1-9][0-9]?|1[0-9]{2}|200)$", {
      minimum: 1,
      maximum: rowsPerPageMax,
      examples: ["50"],
      description: `Rows per page, 1 to ${rowsPerPageMax}. Without it the whole list is returned.`,
      says: { wrong: `limit must be a whole number from 1 to ${rowsPerPageMax}` },
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 512,
      description: "Where the page starts: the `cursor` in the previous page's `Link` header.",
    }),
  ),
};
export const descendingField = {
  order: Type.Optional(oneOf(["asc", "desc"], { says: { wrong: "order must be asc or desc" } })),
};

const idempotencyKeySentence = "Idempotency-Key must be 1 to 255 characters";

/** The header of the calls that make or extend keys (rules.md: Retries). */
export const RetryHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ["2f1c0e9a-order"],
      description: "A retry with the same key and body within 24 hours returns the first result and does nothing",
      says: { required: idempotencyKeySentence, wrong: idempotencyKeySentence },
    }),
  ),
});
