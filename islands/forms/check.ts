import type { Static, TObject } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { problemsOf } from "../../src/core/field-problems.ts";
import type { FieldProblem } from "../../src/core/refusal.ts";
import { byField, type Messages, type Values } from "./values.ts";

/** A rule between fields, such as 'a button needs a link'. It sees the values whether or not the schema likes them. */
export type Rule<Schema extends TObject> = (values: Static<Schema>) => FieldProblem[];

/** What is wrong with what was filled in, in the words of the schema that the server checks it with. */
export default function check<Schema extends TObject>(
  schema: Schema,
  values: Values<Schema>,
  rule: Rule<Schema> = () => [],
): Messages {
  return byField([...problemsOf(Errors(schema, values)), ...rule(values as Static<Schema>)]);
}
