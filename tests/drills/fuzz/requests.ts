import fc from "fast-check";
import type { Operation, Parameter, Schema } from "./document.ts";
import { type Draft, type Mutation, mutationOf } from "./mutations.ts";

/** A request as it is sent. `caller` is the index of the account. */
export interface FuzzedRequest {
  caller: number;
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The request has no mutations: it conforms to the document. */
  isValid: boolean;
}

/** Existing values by field name. */
export type Facts = Record<string, readonly unknown[]>;

/** Ids are sequential, so small ones exist. */
const idMax = 12;

/** Generates a field: mostly an existing value, otherwise its example or a random value within its bounds. */
function fieldOf(name: string, schema: Schema, facts: Facts): fc.Arbitrary<unknown> {
  const isText = schema.type === "string" || schema.anyOf !== undefined;
  const known = (facts[name] ?? []).filter((value) => (typeof value === "string") === isText);
  const made = madeOf(name, schema, facts);
  return known.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, made) : made;
}

function madeOf(name: string, schema: Schema, facts: Facts): fc.Arbitrary<unknown> {
  const {
    type,
    enum: values,
    anyOf,
    example,
    nullable,
    minimum = 1,
    maximum = idMax,
    minLength = 0,
    maxLength,
  } = schema;
  if (nullable) return fc.option(madeOf(name, { ...schema, nullable: false }, facts), { freq: 4 });
  if (anyOf) return fc.oneof(...anyOf.map((one) => madeOf(name, one, facts)));
  if (values) return fc.constantFrom(...values);
  if (type === "integer") return fc.integer({ min: minimum, max: Math.min(maximum, minimum + idMax) });
  if (type === "number") return fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10);
  if (type === "array") return fc.array(madeOf(name, schema.items ?? {}, facts), { minLength: 1, maxLength: 3 });
  if (type === "boolean") return fc.boolean();
  const text = fc.string({ minLength, maxLength: Math.min(maxLength ?? 40, 60), unit: "grapheme-ascii" });
  return example === undefined ? text : fc.oneof({ weight: 3, arbitrary: fc.constant(example) }, text);
}

function bodyOf({ body }: Operation, facts: Facts): fc.Arbitrary<unknown> {
  if (!body) return fc.constant(undefined);
  if (body.format === "binary") return fileOfKeys;
  const fields = Object.entries(body.properties ?? {}).map(
    ([name, field]) => [name, fieldOf(name, field, facts)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: body.required ?? [] });
}

const line = fc.oneof(
  fc.nat().map((number) => `KEY-${number},FREE FIRE,2099-01-31`),
  fc.string({ maxLength: 60, unit: "binary" }),
);
const fileOfKeys = fc.array(line, { maxLength: 3 }).map((lines) => ["key,game,expires", ...lines].join("\n"));

function queryOf({ parameters }: Operation, facts: Facts): fc.Arbitrary<[string, string][]> {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const values = inQuery.map((parameter) => fc.option(inText(parameter, facts), { freq: 2 }));
  return fc
    .tuple(...values)
    .map((texts) =>
      texts.flatMap((text, index): [string, string][] => (text === null ? [] : [[inQuery[index]?.name ?? "", text]])),
    );
}

function partsOf({ path, parameters }: Operation, facts: Facts): fc.Arbitrary<string[]> {
  const parts = path.split("/").slice(1);
  return fc.tuple(
    ...parts.map((part) => {
      const parameter = parameters.find(({ name }) => part === `{${name}}`);
      return parameter ? inText(parameter, facts) : fc.constant(part);
    }),
  );
}

function inText({ name, schema, example }: Parameter, facts: Facts): fc.Arbitrary<string> {
  return fieldOf(name, { example, ...schema }, facts).map(String);
}

/** A request to any documented operation by any caller, either as documented or with mutations. */
export function anyRequest(
  operations: Operation[],
  { callers, facts, callersFor }: { callers: number; facts: Facts; callersFor: (path: string) => number[] },
) {
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        // Mostly a permitted caller, so that most requests get past the access check.
        caller: fc.oneof(fc.constantFrom(...callersFor(operation.path)), fc.nat({ max: callers - 1 })),
        parts: partsOf(operation, facts),
        query: queryOf(operation, facts),
        body: bodyOf(operation, facts),
        mutations: fc.oneof(
          fc.constant<Mutation[]>([]),
          fc.array(mutationOf(Object.keys(facts)), { minLength: 1, maxLength: 3 }),
        ),
      })
      .map(({ caller, parts, query, body, mutations }): FuzzedRequest => {
        const headers: Record<string, string> = typeof body === "string" ? { "content-type": operation.bodyType } : {};
        const asDocumented: Draft = { caller, method: operation.method, parts, query, headers, body };
        return sent(
          mutations.reduce((draft, mutation) => mutation(draft), asDocumented),
          mutations.length === 0,
        );
      }),
  );
}

function sent({ caller, method, parts, query, headers, body }: Draft, isValid: boolean): FuzzedRequest {
  const search = query.map((pair) => pair.map(encoded).join("=")).join("&");
  const mayCarry = method !== "GET" && method !== "HEAD" && body !== undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    ...{ caller, method, isValid },
    address: `/${parts.map(encoded).join("/")}${search && `?${search}`}`,
    headers: { ...(mayCarry && { "content-type": "application/json" }), ...headers },
    body: mayCarry ? text : undefined,
  };
}

/** An unpaired surrogate cannot be encoded in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
