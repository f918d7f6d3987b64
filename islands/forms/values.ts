import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { FieldProblem } from "../../src/core/refusal.ts";
import { ApiFailure } from "../api/api.ts";
import { readNumber } from "../ui/field/field.tsx";

/** The values of a form. A field that is empty or not rendered may be missing. */
export type Values<Schema extends TObject> = Partial<Static<Schema>>;

/**
 * Reads the fields that the schema names, each as the type that the schema gives it. A text that is no number is NaN,
 * which no schema accepts.
 */
export function readValues<Schema extends TObject>(schema: Schema, data: FormData): Values<Schema> {
  const values = Object.entries(schema.properties).map(([name, field]) => [name, valueIn(name, field, data)]);
  return Object.fromEntries(values) as Values<Schema>;
}

function valueIn(name: string, field: TSchema, data: FormData): boolean | number | string | undefined {
  // A switch that is off has no entry.
  if (field.type === "boolean") return data.has(name);
  const text = textOf(name, data.get(name));
  if (!isNumber(field)) return text;
  return text === "" || text === undefined ? undefined : readNumber(text);
}

/**
 * Phones add a space after a completed word, and only a password may begin or end with one. A select without a choice
 * has no entry in the form.
 */
function textOf(name: string, entry: FormDataEntryValue | null): string | undefined {
  if (typeof entry !== "string") return undefined;
  return /password$/i.test(name) ? entry : entry.trim();
}

/** A number, or one of a few. */
function isNumber({ type, anyOf }: TSchema): boolean {
  return type === "integer" || type === "number" || (anyOf?.some(isNumber) ?? false);
}

/** A complete sentence for each invalid field. */
export type Messages = Partial<Record<string, string>>;

/** The messages of a refusal by field. `fieldOf` maps its code, and names that the call uses differently. */
export function messagesOfRefusal(error: unknown, fieldOf: Partial<Record<string, string>>): Messages {
  if (!(error instanceof ApiFailure)) return {};
  const named = error.errors.map(({ path, message }) => ({ path: fieldOf[path] ?? path, message }));
  const field = fieldOf[error.code ?? ""];
  return byField(field === undefined ? named : [{ path: field, message: error.message }, ...named]);
}

/** The first message of each field. */
export function byField(problems: FieldProblem[]): Messages {
  const messages: Messages = {};
  for (const { path, message } of problems) messages[path] ??= message;
  return messages;
}
