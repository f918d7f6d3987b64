import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { butContains, type FieldSentences } from "./field.ts";
import type { FieldProblem } from "./refusal.ts";

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

/**
 * The first problem of each field, worded by its own schema. A list's may be that of an item. Pure, because the
 * server's 422 and the browser's forms share it.
 */
export function problemsOf(errors: Iterable<ValueError>): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    const [path = ""] = error.path.slice(1).split("/");
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
  const named = says.isText && typeof error.value === "string" ? butContains(error.value) : "";
  return `${says.wrong ?? says.required ?? `${name} has the wrong format`}${named}`;
}
