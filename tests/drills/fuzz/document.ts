import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

/** A JSON schema from the API document. */
export interface Schema {
  type?: string;
  /** `binary` for a file. */
  format?: string;
  enum?: unknown[];
  example?: unknown;
  nullable?: boolean;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  schema: Schema;
  example?: unknown;
}

/** A documented call. */
export interface Operation {
  method: string;
  /** The path with its parameters in braces. */
  path: string;
  parameters: Parameter[];
  body: Schema | null;
  bodyType: string;
  /** By status, then by content type. */
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Documentation {
  operations: Operation[];
  /** The documented operation that matches a request, or `null`. */
  operationOf(method: string, address: string): Operation | null;
  /** Describes how a response differs from the documentation, or returns `null`. */
  problemOf(operation: Operation, response: FuzzResponse): string | null;
  /** The same for an address without a documented operation; below `/api` it must respond with a failure. */
  problemElsewhere(address: string, response: FuzzResponse): string | null;
}

export interface FuzzResponse {
  status: number;
  type: string;
  text: string;
}

/** Reads the server's API document. */
export async function readDocumentation(url: string): Promise<Documentation> {
  const document = await (await fetch(`${url}/swagger/json`)).json();
  const { paths, components } = inlined(document, document.components.schemas);
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
      const [[bodyType, content] = ["application/json", null]] = Object.entries<{ schema: Schema }>(
        requestBody?.content ?? {},
      );
      return { method: method.toUpperCase(), path, parameters, body: content?.schema ?? null, bodyType, responses };
    }),
  );
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  const validators = new Map<Schema, ValidateFunction>();
  const anyFailure: Schema = components.schemas.Failure;

  return {
    operations,

    operationOf(method, address) {
      const path = pathOf(address);
      const documentedMethod = method === "HEAD" ? "GET" : method;
      const matching = operations.filter(
        (operation) => operation.method === documentedMethod && patternOf(operation.path).test(path),
      );
      // A literal path takes precedence over one with parameters.
      return matching.sort((a, b) => a.parameters.length - b.parameters.length)[0] ?? null;
    },

    problemOf({ responses }, response) {
      if (response.status === 500) return "it fails with a 500";
      const documented = responses[String(response.status)];
      if (!documented) return `the status ${response.status} is not documented`;
      const content = documented.content?.[response.type];
      if (response.type === "" && response.text === "") return null;
      if (!content) return `the content type ${response.type || "(none)"} is not documented for a ${response.status}`;
      return response.type === "application/json" ? problemIn(content.schema, response) : null;
    },

    problemElsewhere(address, response) {
      if (!pathOf(address).startsWith("/api/")) return response.status < 500 ? null : "it fails";
      if (![400, 404, 405].includes(response.status)) return `an undocumented address responds with ${response.status}`;
      return response.type === "application/json" ? problemIn(anyFailure, response) : null;
    },
  };

  function problemIn(schema: Schema, { status, text }: FuzzResponse): string | null {
    const validate = validators.get(schema) ?? ajv.compile(status < 300 ? closed(schema) : schema);
    validators.set(schema, validate);
    const body = parsed(text);
    if (body === undefined) return `the body of a ${status} is not JSON`;
    if (validate(body)) return null;
    const [error] = validate.errors ?? [];
    return `the body of a ${status} is not as documented: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The path as a client sends it, without dot segments. */
function pathOf(address: string): string {
  return new URL(address, "http://localhost").pathname;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** Puts the named schemas in the places that refer to them. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON.
function inlined(json: any, named: Record<string, Schema>): any {
  if (Array.isArray(json)) return json.map((each) => inlined(each, named));
  if (typeof json !== "object" || json === null) return json;
  const name = /^#\/components\/schemas\/(\w+)$/.exec(json.$ref)?.[1];
  if (name) return inlined(named[name], named);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, inlined(value, named)]));
}

/** Rejects undocumented fields, which could leak something. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    // An object without documented fields may contain anything.
    ...(properties &&
      Object.keys(properties).length > 0 && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
        additionalProperties: false,
      }),
  };
}
