import { type Static, Type } from "@sinclair/typebox";

/** What somebody writes on a key, an order or a grant, in characters (rules.md: Notes). */
export const noteCharactersMax = 200;

/** Control characters are nobody's words, and a NUL would cut the text short in the database. */
const oneLine = "^[^\\u0000-\\u001f\\u007f]*$";

/** A call's body, or a part of one. */
export const NoteForm = Type.Object({ note: optionalNote("Note", "For the summer tournament") });
export type NoteForm = Static<typeof NoteForm>;

export const NoteOrNull = noteOrNull("For the summer tournament");

/** Left out, `""` and `null` mean none. `name` is what the field is called where it is wrong. */
export function optionalNote(name: string, example: string) {
  return Type.Optional(
    Type.Union([Type.String({ maxLength: noteCharactersMax, pattern: oneLine }), Type.Null()], {
      examples: [example],
      description: `One line of at most ${noteCharactersMax} characters; left out, "" and null are none`,
      says: { wrong: `${name} must be one line of at most ${noteCharactersMax} characters` },
    }),
  );
}

export function noteOrNull(example: string, description = "Null where there is none") {
  return Type.Union([Type.String({ examples: [example] }), Type.Null()], { description });
}
