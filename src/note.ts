import { type Static, Type } from "@sinclair/typebox";

/** What somebody writes on a key, an order or a grant, in characters (rules.md: Notes). */
export const noteCharactersMax = 200;

/** Control characters are nobody's words, and a NUL would cut the text short in the database. */
const oneLine = "^[^\\u0000-\\u001f\\u007f]*$";

/** A call's body, or a part of one. Left out, `""` and `null` mean no note. */
export const NoteForm = Type.Object({
  note: Type.Optional(
    Type.Union([Type.String({ maxLength: noteCharactersMax, pattern: oneLine }), Type.Null()], {
      examples: ["For the summer tournament"],
      description: `One line of at most ${noteCharactersMax} characters; left out, "" and null are none`,
      says: { wrong: `Note must be one line of at most ${noteCharactersMax} characters` },
    }),
  ),
});
export type NoteForm = Static<typeof NoteForm>;

export const NoteOrNull = Type.Union([Type.String({ examples: ["For the summer tournament"] }), Type.Null()], {
  description: "Null where there is none",
});
