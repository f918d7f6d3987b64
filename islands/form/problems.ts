import type { Static, TObject } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { problemsOf } from "../../src/field.ts";
import type { FieldProblem } from "../../src/refusal.ts";
import { ApiFailure } from "../server/api.ts";
import type { Values } from "./values.ts";

/** A finished sentence by the name of each wrong field. */
export type Messages = Partial<Record<string, string>>;

/** A rule between fields, such as 'a button needs a link'. It sees the values whether or not the schema likes them. */
export type Rule<Schema extends TObject> = (values: Static<Schema>) => FieldProblem[];

/** What is wrong with what was filled in, in the words of the schema that the server checks it with. */
export function messagesIn<Schema extends TObject>(
  schema: Schema,
  values: Values<Schema>,
  rule: Rule<Schema> = () => [],
): Messages {
  return byField([...problemsOf(Errors(schema, values)), ...rule(values as Static<Schema>)]);
}

/** What the server has against which field. `fieldOf` names the field of a refusal's code, and of what the call names otherwise. */
export function messagesOfRefusal(error: unknown, fieldOf: Partial<Record<string, string>>): Messages {
  if (!(error instanceof ApiFailure)) return {};
  const named = error.errors.map(({ path, message }) => ({ path: fieldOf[path] ?? path, message }));
  const field = fieldOf[error.code ?? ""];
  return byField(field === undefined ? named : [{ path: field, message: error.message }, ...named]);
}

/** The first of each field. */
function byField(problems: FieldProblem[]): Messages {
  const messages: Messages = {};
  for (const { path, message } of problems) messages[path] ??= message;
  return messages;
}
