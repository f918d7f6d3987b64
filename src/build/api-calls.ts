import { join } from "node:path";
import { readApiDocument } from "./api-document.ts";

/*
 * A summary of what clients of the API rely on, and which changes of it break them. We found no library that can tell:
 * openapi-diff needs 90 s for this document, and api-smart-diff reports new fields of responses as breaking.
 */

export type Calls = Record<string, Call>;

interface Call {
  id: string;
  callers: string[];
  /** Its parameters, its body and the body's fields. */
  takes: Record<string, Value>;
  /** By status: the codes of a failure; the headers, body and fields of a success. */
  returns: Record<string, Value>;
}

interface Value extends Limits {
  /** Its types, with "null" and "absent". */
  is: string[];
  /** If only these values are possible. */
  values?: unknown[];
}

type Limits = { [name in (typeof limitNames)[number]]?: unknown };
const mostAndLeast = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;
const limitNames = [...mostAndLeast, "uniqueItems", "pattern"] as const;

/** The parts of an OpenAPI 3.0 document that are read here. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
interface Operation {
  operationId: string;
  security?: object[];
  "x-scope": string | null;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
}
interface Response {
  content?: Content;
  headers?: object;
}
type Content = Record<string, { schema: Schema }>;
interface Schema extends Limits {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | true;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}

/** The calls of a document. What all failures have in common is listed once, as if it were a call. */
export function callsIn({ paths, components: { schemas } }: ApiDocument): Calls {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Call] => [
      `${method.toUpperCase()} ${path}`,
      {
        id: operation.operationId,
        callers: callersOf(operation),
        takes: taken(operation),
        returns: Object.assign({}, ...Object.entries(operation.responses).map(returned)),
      },
    ]),
  );
  const { Failure = {}, VerdictFailure = {} } = schemas;
  const { "Failure.code": _, ...failure } = valuesOf("Failure", Failure);
  const returns = { ...failure, ...valuesOf("VerdictFailure", VerdictFailure.allOf?.[1] ?? {}) };
  return { ...Object.fromEntries(calls), "every failure": { id: "", callers: [], takes: {}, returns } };

  function taken({ parameters = [], requestBody }: Operation): Call["takes"] {
    const values = parameters.map((parameter) => {
      const { name, in: place, required, schema } = parameter;
      return valuesOf(`${place}.${name}`, schema, { isRequired: required ?? false, isTaken: true });
    });
    const body = requestBody?.content["application/json"];
    if (body) values.push(valuesOf("body", body.schema, { isRequired: requestBody.required, isTaken: true }));
    return Object.assign({}, ...values);
  }

  function returned([status, { content = {}, headers = {} }]: [string, Response]): Call["returns"] {
    const bodies = Object.entries(content).map(([type, { schema }]) =>
      Number(status) >= 400
        ? { [status]: { is: [nameIn(schema.allOf?.[0])], values: schema.properties?.code?.enum } }
        : valuesOf(type === "application/json" ? status : `${status} ${type}`, schema),
    );
    const named = Object.keys(headers).map((name) => ({ [`${status} ${name}`]: { is: ["header"] } }));
    return Object.assign(bodies.length === 0 ? { [status]: { is: ["empty"] } } : {}, ...bodies, ...named);
  }

  /** A value and those inside it, by their paths. Only the limits of what is sent to the server matter. */
  function valuesOf(path: string, given: Schema, { isRequired = true, isTaken = false } = {}): Record<string, Value> {
    const schema = given.$ref ? (schemas[nameIn(given)] ?? {}) : given;
    const { anyOf = [schema], properties = {}, required = [], additionalProperties, items, nullable } = schema;
    const types = anyOf.map(({ type, format }) => [type, format].filter(Boolean).join(" "));
    const value: Value = {
      is: [...types, ...(nullable ? ["null"] : []), ...(isRequired ? [] : ["absent"])],
      ...(schema.enum && { values: schema.enum.filter((each) => each !== null) }),
      ...(isTaken &&
        Object.fromEntries(limitNames.filter((name) => name in schema).map((name) => [name, schema[name]]))),
    };
    const inside = Object.entries(properties).map(([name, each]) =>
      valuesOf(`${path}.${name}`, each, { isRequired: required.includes(name), isTaken }),
    );
    if (items) inside.push(valuesOf(`${path}[]`, items, { isTaken }));
    if (typeof additionalProperties === "object") inside.push(valuesOf(`${path}.*`, additionalProperties, { isTaken }));
    return Object.assign({ [path]: value }, ...inside);
  }
}

function callersOf({ security = [{}], "x-scope": scope }: Operation): string[] {
  const schemes = security.map((scheme) => Object.keys(scheme)[0] ?? "anyone");
  return schemes.map((name) => (name === "apiKey" ? `an API key with the scope ${scope}` : name));
}

function nameIn({ $ref = "" }: Schema = {}): string {
  return $ref.replace(/.*\//, "");
}

export interface Change {
  call: string;
  change: string;
}

/** The changes that can break a client. Calls may gain optional fields, and responses fields, values and statuses. */
export function breakingChanges(before: Calls, after: Calls): Change[] {
  return Object.entries(before).flatMap(([call, old]) => {
    const now = after[call];
    const changes = now
      ? [
          ...(now.id === old.id ? [] : [`its id was ${old.id}`]),
          ...missing(old.callers, now.callers).map((caller) => `no longer for ${caller}`),
          ...changesInRequests(old.takes, now.takes),
          ...changesInResponses(old.returns, now.returns),
        ]
      : ["is gone"];
    return changes.map((change) => ({ call, change }));
  });
}

function changesInRequests(before: Call["takes"], after: Call["takes"]): string[] {
  const narrowed = Object.entries(before).flatMap(([path, old]) => {
    const now = after[path];
    if (!now) return [`${path} is ignored`];
    const refused = [
      ...missing(old.is, now.is),
      ...(now.values ? missing(old.values ?? ["anything"], now.values) : []),
    ];
    return [
      ...refused.map((value) => `${path} may not be ${value}`),
      ...limitNames
        .filter((name) => isNarrower(name, old[name], now[name]))
        .map((name) => `${path} has the ${name} ${now[name]}`),
    ];
  });
  const isInsideNew = (path: string) => {
    const parent = path.replace(/(\[\]|\.[^.[]+)$/, "");
    return parent !== path && parent in after && !(parent in before);
  };
  const demanded = Object.entries(after)
    .filter(([path, { is }]) => !(path in before) && !is.includes("absent") && !isInsideNew(path))
    .map(([path]) => `${path} is required`);
  return [...narrowed, ...demanded];
}

// biome-ignore lint/suspicious/noExplicitAny: numbers, or texts and flags that are only compared.
function isNarrower(name: string, before: any, after: any): boolean {
  if (after === undefined || after === before) return false;
  if (before !== undefined && name.startsWith("min")) return after > before;
  if (before !== undefined && name.startsWith("max")) return after < before;
  return true;
}

function changesInResponses(before: Call["returns"], after: Call["returns"]): string[] {
  return Object.entries(before).flatMap(([path, old]) => {
    const now = after[path];
    if (!now) return [`${path} is not returned`];
    return [
      ...missing(now.is, old.is).map((type) => `${path} may be ${type}`),
      ...missing(old.values ?? [], now.values ?? []).map((value) => `${path} is never ${value}`),
    ];
  });
}

function missing<Item>(items: Item[], others: Item[]): Item[] {
  return items.filter((item) => !others.includes(item));
}

/** Those changes whose call is not named in the newest section of the changelog, under "Changed calls". */
export function withoutNote(changes: Change[], changelog: string): Change[] {
  const [, newest = ""] = changelog.split(/^## /m);
  const [, notes = ""] = newest.split(/^### Changed calls\n/m);
  const [noted = ""] = notes.split(/^#/m);
  return changes.filter(({ call }) => !noted.includes(`\`${call}\``));
}

export const releasedCallsPath = join(import.meta.dir, "released-calls.json");

/** JSON whose objects have a line for each member down to this depth, so that a change is easy to review. */
function listed(value: object, depth: number, indent = ""): string {
  if (depth === 0 || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const within = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, member]) => `${within}${JSON.stringify(name)}: ${listed(member, depth - 1, within)}`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
}

/* `bun run record-calls`: writes the calls with which later ones are compared. */
if (import.meta.main) {
  const calls = callsIn(JSON.parse(await readApiDocument()));
  await Bun.write(releasedCallsPath, `${listed(calls, 3)}\n`);
}
