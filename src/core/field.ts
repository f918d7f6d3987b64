import { type SchemaOptions, type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

/**
 * The messages of a schema's field when it is wrong. `required` also covers an empty text, and `wrong` everything else.
 * A field has them next to its limits: `Type.String({ minLength: 1, says: { required } })`.
 */
export interface FieldSentences {
  required?: string;
  tooSmall?: string;
  tooLarge?: string;
  wrong?: string;
  /** Whether `wrong` goes on with the character that no text has. */
  isText?: true;
}

declare module "@sinclair/typebox" {
  interface SchemaOptions {
    says?: FieldSentences;
  }
}

/**
 * A field with one of a few values. TypeBox's own union of literals loses its type if it is built from an array.
 */
export function oneOf<const Values extends readonly (string | number)[]>(
  values: Values,
  options: SchemaOptions = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );
}

/**
 * A whole number in a path or a query, parsed from text. `pattern` accepts exactly the numbers of the range, which is
 * documented.
 */
export function numberInText(
  pattern: string,
  options: SchemaOptions & { minimum: number; maximum: number },
): TUnsafe<number> {
  const text = Type.String({ ...options, pattern, asInteger: true });
  return Type.Unsafe<number>(Type.Transform(text).Decode(Number).Encode(String));
}

/** A whole number from 1 in a body, such as an id. `wrong` is its sentence. */
export function positiveInteger(wrong: string, options: SchemaOptions) {
  return Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options, says: { ...options.says, wrong } });
}

/**
 * The text without surrounding spaces, or undefined if nothing remains, which counts as left out (rules.md: Bodies).
 */
export function nonBlank(text: string | null | undefined): string | undefined {
  return text?.trim() || undefined;
}

/** The length of a note on a key, an order or a grant, in characters (rules.md: Notes). */
export const noteCharactersMax = 200;

/** Letters and symbols without a visible glyph: Braille's blank, a null notehead, blank hieroglyphs. */
const drawnBlank = "\\u2800\\u{1D159}\\u{13441}\\u{13442}";

/**
 * Invisible characters, for a pattern with the flag `u`: control characters, bidirectional overrides, lone
 * surrogates, line separators. Spaces are not among them.
 */
export const invisible = `\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}${drawnBlank}`;

/** What a variation selector varies. Emoji and some scripts are spelled with selectors and joiners. */
const varied = `(?![${invisible}])[\\p{L}\\p{M}\\p{Nd}\\p{S}\\p{Emoji}]`;
const selector = "\\p{Variation_Selector}";

/**
 * A character that no text has, for a pattern with the flag `u`: an invisible one, except selectors and joiners directly
 * after what they belong to (rules.md: Texts).
 */
export const notText = `[${invisible}](?<!${varied}(?:${selector}|${selector}?\\p{Join_Control}))`;

export const visibleLine = lineOf("*");
export const visibleLines = new RegExp(`^(?![^]*(?![\\t\\n\\r])${notText})`, "u");

/** A line of 1 to so many characters, not of spaces alone. `start` is what else its pattern demands. */
export function nameOf(charactersMax: number, start = ""): RegExp {
  return lineOf(`{1,${charactersMax}}`, `${start}(?=.*[^\\p{Z}])`);
}

/** The same for a name that is a part of a path. */
export function pathNameOf(charactersMax: number): RegExp {
  return nameOf(charactersMax, "(?!\\.{1,2}$|.*[/\\\\])");
}

function lineOf(characters: string, start = ""): RegExp {
  return new RegExp(`^${start}(?!.*${notText}).${characters}$`, "u");
}

/** The end of a sentence about a text: names its first character that no text has. Line breaks are named last. */
export function butContains(text: string): string {
  const [found] = [`(?![\\t\\n\\r])${notText}`, notText].flatMap((each) => new RegExp(each, "u").exec(text) ?? []);
  const code = found?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return code === undefined ? "" : `; it contains U+${code}`;
}

/** Patterns of texts without control characters. A NUL would cut them short in the database. */
export const oneLine = "^[^\\u0000-\\u001f\\u007f]*$";
export const severalLines = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$";

/** The characters of usernames and key texts, for a `[…]` in a pattern. */
export const usernameCharacters = "A-Za-z0-9_.-";
export const keyCharacters = "A-Za-z0-9_-";

/** A call's body, or part of it. */
export const NoteForm = Type.Object({ note: optionalNote("Note", "For the summer tournament") });
export type NoteForm = Static<typeof NoteForm>;

export const NoteOrNull = textOrNull("For the summer tournament", "Null if there is none");

/** If it is left out, `""` or null, there is no note. `name` is the field's name in messages. */
export function optionalNote(name: string, example: string, charactersMax = noteCharactersMax) {
  const must = `must be one line of at most ${charactersMax} characters, without invisible ones`;
  return Type.Optional(
    // Null comes first, because TypeBox fails when it checks the length of null. The API document has the plain
    // pattern, which every program understands.
    Type.Union([Type.Null(), Type.RegExp(visibleLine, { maxLength: charactersMax, pattern: oneLine })], {
      examples: [example],
      description: `It ${must}; "", null or no value means none`,
      says: { wrong: `${name} ${must}`, isText: true },
    }),
  );
}

/** A line that has to be given, such as a name or a reason. `name` is the field's name in messages. */
export function requiredLine(name: string, example: string, charactersMax = noteCharactersMax) {
  return Type.RegExp(nameOf(charactersMax), {
    examples: [example],
    pattern: `^.{1,${charactersMax}}$`,
    says: {
      required: `${name} is required`,
      wrong: `${name} must be one line of 1 to ${charactersMax} characters, without invisible ones`,
      isText: true,
    },
  });
}

/* Fields that may be null, which the description says when. */

export function textOrNull(example: string, description?: string) {
  return orNull(Type.String({ examples: [example] }), description);
}

export function numberOrNull(example: number, description?: string) {
  return orNull(Type.Integer({ examples: [example] }), description);
}

export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
