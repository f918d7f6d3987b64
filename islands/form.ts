import type { Static, TObject } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import { problemsOf } from "../src/field.ts";
import type { FieldProblem } from "../src/refusal.ts";

/** A rule between fields, such as 'a button needs a link'. It sees the values whether or not the schema likes them. */
export type CrossFieldRule = (values: never) => FieldProblem[];

/** What is wrong with what was typed, in the words of the schema that the server checks it with; the first of each field. */
export function problemsIn(schema: TObject, values: unknown, ...rules: CrossFieldRule[]): FieldProblem[] {
  const problems = [...problemsOf(Errors(schema, values)), ...rules.flatMap((rule) => rule(values as never))];
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
}

/** For `useForm({ resolver: schemaResolver(CreditGrant) })`: messages by their fields, the first wrong field focused. */
export function schemaResolver<Schema extends TObject, Values extends FieldValues = Static<Schema>>(
  schema: Schema,
  ...rules: CrossFieldRule[]
): Resolver<Values, unknown, Static<Schema>> {
  return (values) => {
    const problems = problemsIn(schema, values, ...rules);
    if (problems.length === 0) return { values: values as unknown as Static<Schema>, errors: {} };
    return { values: {}, errors: errorsByField(problems) as FieldErrors<Values> };
  };
}

function errorsByField(problems: FieldProblem[]): Record<string, { type: string; message: string }> {
  return Object.fromEntries(problems.map(({ path, message }) => [path, { type: "schema", message }]));
}

/** For `register("count", { setValueAs: numberOrNothing })`: an empty number field is missing, and not NaN. */
export function numberOrNothing(text: unknown): number | undefined {
  return text === "" || text === null || text === undefined ? undefined : Number(text);
}
