import fc from "fast-check";
import type { Operation, Parameter, Schema } from "./document.ts";
import { type Draft, type Twist, twistOf } from "./twists.ts";

/** A request as it goes out. `caller` is who sends it, by their place in the cast. */
export interface FuzzedRequest {
  caller: number;
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Nothing was changed about it: it is as the document wants it. */
  isValid: boolean;
}

/** Values that exist, by the names of the fields that they belong into. */
export type Facts = Record<string, readonly unknown[]>;

/** Ids are given in order, so small ones exist. */
const idMax = 12;

/** What is generated for a field of the document: mostly what exists, else its example, else what its bounds allow. */
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
  const fields = Object.entries(body.properties ?? {}).map(
    ([name, field]) => [name, fieldOf(name, field, facts)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: body.required ?? [] });
}

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

/** A request to any of the documented calls, by anybody: as the document wants it, or with some things wrong about it. */
export function anyRequest(
  operations: Operation[],
  { callers, facts, callersFor }: { callers: number; facts: Facts; callersFor: (path: string) => number[] },
) {
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        // Mostly one who may ask this: what is refused at the door tells nothing of the house.
        caller: fc.oneof(fc.constantFrom(...callersFor(operation.path)), fc.nat({ max: callers - 1 })),
        parts: partsOf(operation, facts),
        query: queryOf(operation, facts),
        body: bodyOf(operation, facts),
        twists: fc.oneof(
          fc.constant<Twist[]>([]),
          fc.array(twistOf(Object.keys(facts)), { minLength: 1, maxLength: 3 }),
        ),
      })
      .map(({ caller, parts, query, body, twists }): FuzzedRequest => {
        const asDocumented: Draft = { caller, method: operation.method, parts, query, headers: {}, body };
        return sent(
          twists.reduce((draft, twist) => twist(draft), asDocumented),
          twists.length === 0,
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

/** A text with half a character in it has no place in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
