import type { Static, TObject } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { problemsOf } from "../../src/core/field-problems.ts";
import type { FieldProblem } from "../../src/core/refusal.ts";
import { byField, type Messages, type Values } from "./values.ts";

/** A rule between fields, such as 'a button needs a link'. It runs whether or not the values match the schema. */
export type Rule<Schema extends TObject> = (values: Static<Schema>) => FieldProblem[];

/** Returns the problems of the values, in the words of the schema that the server uses too. */
export default function check<Schema extends TObject>(
  schema: Schema,
  values: Values<Schema>,
  rule: Rule<Schema> = () => [],
): Messages {
  return byField([...problemsOf(Errors(schema, values)), ...rule(values as Static<Schema>)]);
}
