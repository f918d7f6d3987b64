import { type SchemaOptions, type TUnsafe, Type } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { FieldProblem } from "./refusal.ts";

/**
 * What a schema's field says when it is wrong. `required` also speaks for an empty text, `wrong` for everything that
 * no other sentence covers. A field puts them beside its limits: `Type.String({ minLength: 1, says: { required } })`.
 */
export interface FieldSentences {
  required?: string;
  tooSmall?: string;
  tooLarge?: string;
  wrong?: string;
}

declare module "@sinclair/typebox" {
  interface SchemaOptions {
    says?: FieldSentences;
  }
}

const tooSmall = new Set([
  ValueErrorType.StringMinLength,
  ValueErrorType.IntegerMinimum,
  ValueErrorType.IntegerExclusiveMinimum,
  ValueErrorType.NumberMinimum,
  ValueErrorType.ArrayMinItems,
]);
const tooLarge = new Set([
  ValueErrorType.StringMaxLength,
  ValueErrorType.IntegerMaximum,
  ValueErrorType.NumberMaximum,
  ValueErrorType.ArrayMaxItems,
]);

/** The first problem of each field, worded by its own schema. Pure: the server's 422 and the browser's forms share it. */
export function problemsOf(errors: Iterable<ValueError>): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    const path = error.path.slice(1).replaceAll("/", ".");
    if (!problems.has(path)) problems.set(path, { path, message: sentenceFor(error, path) });
  }
  return [...problems.values()];
}

function sentenceFor(error: ValueError, path: string): string {
  const says: FieldSentences = error.schema.says ?? {};
  const name = path === "" ? "The request" : path;
  const missing = error.value === undefined || error.value === null || error.value === "";
  if (missing) return says.required ?? says.tooSmall ?? says.wrong ?? `${name} is required`;
  if (tooSmall.has(error.type)) return says.tooSmall ?? says.wrong ?? `${name} is too small`;
  if (tooLarge.has(error.type)) return says.tooLarge ?? says.wrong ?? `${name} is too large`;
  return says.wrong ?? says.required ?? `${name} is not of the right form`;
}

/** A field that is one of a few values. TypeBox's own union of literals loses the type when it is made from an array. */
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

/** A whole number that comes as text, in a path or a query: `pattern` says which texts, and it arrives as a number. */
export function numberInText(pattern: string, options: SchemaOptions = {}): TUnsafe<number> {
  const text = Type.String({ ...options, pattern, asInteger: true });
  return Type.Unsafe<number>(Type.Transform(text).Decode(Number).Encode(String));
}

/** The text without the spaces around it; `undefined` where nothing else is in it, which is how a field is left out (rules.md: Bodies). */
export function nonBlank(text: string | null | undefined): string | undefined {
  return text?.trim() || undefined;
}
