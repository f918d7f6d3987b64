import { type AnyElysia, Elysia } from "elysia";
import { version } from "../../package.json";
import { suspendedSentence } from "../accounts/suspension.ts";
import { clockAheadSentence, type RefusalCode, refusalCodes } from "../core/refusal.ts";
import { publicTag } from "../http/describe.ts";
import { statusOf } from "../http/errors.ts";

/** The parts of an OpenAPI 3.0 document that are repaired. */
interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  tags?: { name: string; description: string }[];
  components?: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
  security?: unknown[];
  "x-example"?: unknown;
  "x-refusals"?: readonly RefusalCode[];
  "x-csv"?: boolean;
  "x-files"?: readonly string[];
  "x-failure"?: FailureShape;
  "x-unchecked"?: Schema;
}
type FailureShape = "Failure" | "VerdictFailure";
type Parameter = { name: string; in: string; schema: Schema; examples?: unknown; example?: unknown };
type Schema = Record<string, unknown> & { anyOf?: Schema[] };

const about = {
  title: "Latchkey",
  version,
  description:
    "License keys for mobile games. Game clients call **Game clients** without signing in; everything else takes the session cookie that signing in sets. Every failure has the form `{ message, code }`: `code` is stable, `message` is for people.",
};

/**
 * The document behind /swagger. @elysiajs/swagger collects the routes, but its document does not validate (null types,
 * `const`, three content types for each body, no descriptions), so it is repaired here, once, at the first request.
 */
export async function openApiDocument(api: (app: Elysia) => AnyElysia): Promise<OpenApiDocument> {
  // Loaded only now: its schema library would take a tenth of every start.
  const { swagger } = await import("@elysiajs/swagger");
  const collector = new Elysia().use(api).use(swagger({ documentation: { info: about } }));
  const answer = await collector.handle(new Request("http://localhost/swagger/json"));
  const document = (await answer.json()) as OpenApiDocument;
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) methods[method] = repairedOperation(operation);
  }
  return {
    ...document,
    // The viewer shows this group first, and the others in the order of their calls.
    tags: [{ name: publicTag, description: "What a game asks. Needs no sign-in, and answers any origin." }],
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
      schemas: { Failure: failureSchema, VerdictFailure: verdictFailureSchema },
    },
  };
}

const failureSchema = {
  type: "object",
  required: ["message", "code"],
  properties: {
    message: { type: "string", description: "A finished sentence for people" },
    code: { type: "string", enum: [...refusalCodes, "FAULT"] },
    errors: {
      type: "array",
      description: "The wrong fields, when validation failed",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
  },
};

const verdictFailureSchema = {
  allOf: [
    { $ref: "#/components/schemas/Failure" },
    { type: "object", required: ["valid"], properties: { valid: { type: "boolean", enum: [false] } } },
  ],
};

function repairedOperation(operation: Operation): Operation {
  const {
    "x-example": example,
    "x-refusals": declared = [],
    "x-csv": isCsvToo = false,
    "x-files": fileTypes,
    "x-failure": failure = "Failure",
    "x-unchecked": unchecked,
    responses: checked = {},
    requestBody,
    parameters,
    ...rest
  } = operation;
  const hasParameter = parameters?.some(({ in: place }) => place === "path");
  const refusals = hasParameter ? (["INVALID_PATH", ...declared] as const) : declared;
  const responses = unchecked ? { "200": { content: { "application/json": { schema: unchecked } } } } : checked;
  return {
    ...rest,
    ...(parameters && { parameters: parameters.map(repairedParameter) }),
    ...(requestBody && { requestBody: repairedBody(requestBody.content) }),
    responses: { ...successes(responses, { example, isCsvToo, fileTypes }), ...failures(refusals, failure) },
    ...(refusals.includes("NOT_SIGNED_IN") && { security: [{ session: [] }] }),
  };
}

function successes(
  responses: NonNullable<Operation["responses"]>,
  { example, isCsvToo, fileTypes }: { example: unknown; isCsvToo: boolean; fileTypes?: readonly string[] },
): NonNullable<Operation["responses"]> {
  const entries = Object.entries(responses).map(([status, response]) => {
    const schema = (response.content?.["application/json"] as { schema?: Schema } | undefined)?.schema;
    const description = status === "201" ? "Created" : "Done";
    if (fileTypes) {
      const content = fileTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
      return [status, { description, content: Object.fromEntries(content) }];
    }
    const shape = schema ? repairedSchema(schema) : { type: "array", items: { type: "object" } };
    const csv = isCsvToo ? { "text/csv": { schema: { type: "string" } } } : {};
    return [status, { description, content: { "application/json": { schema: shape, example }, ...csv } }];
  });
  return Object.fromEntries(entries);
}

function failures(refusals: readonly RefusalCode[], shape: FailureShape): NonNullable<Operation["responses"]> {
  const codesByStatus = new Map<number, (RefusalCode | "FAULT")[]>([[500, ["FAULT"]]]);
  for (const code of refusals) codesByStatus.set(statusOf[code], [...(codesByStatus.get(statusOf[code]) ?? []), code]);
  const fixed = shape === "VerdictFailure" ? { valid: false } : {};
  const entries = [...codesByStatus].map(([status, codes]) => {
    const examples = Object.fromEntries(
      codes.map((code) => [code, { value: { ...fixed, message: exampleSentences[code], code } }]),
    );
    const schema = {
      allOf: [{ $ref: `#/components/schemas/${shape}` }],
      properties: { code: { type: "string", enum: codes } },
    };
    return [String(status), { description: codes.join(" or "), content: { "application/json": { schema, examples } } }];
  });
  return Object.fromEntries(entries);
}

/** A typical message of each failure. Only `code` is stable; a message may be more specific. */
const exampleSentences: Record<RefusalCode | "FAULT", string> = {
  INVALID_JSON: "The body is not valid JSON.",
  INVALID_PATH: "The path may not have dot segments, backslashes or encoded slashes.",
  UNKNOWN_HOST: "This server does not answer to that host name.",
  NOT_SIGNED_IN: "Please sign in first.",
  WRONG_CREDENTIALS: "Invalid username or password",
  SECOND_FACTOR_NEEDED: "Please enter the code of your authenticator, or a recovery code.",
  WRONG_SECOND_FACTOR: "The code is wrong, or was used before.",
  CREDITS_SHORT: "You need 3.0 more credits to generate 2 key(s).",
  FORBIDDEN: "Your account may not do this.",
  SUSPENDED: suspendedSentence,
  CROSS_SITE: "This call must come from Latchkey's own pages.",
  NOT_FOUND: "There is nothing with this id.",
  METHOD_NOT_ALLOWED: "This address answers to GET only.",
  USERNAME_TAKEN: "This username is already taken.",
  KEY_TAKEN: "The key SUMMER-2025 is already taken.",
  KEY_ALREADY_REVOKED: "The key is already revoked.",
  KEY_NOT_ACTIVE: "Only an active key can be revoked.",
  COUNT_CHANGED: "The order has 4 unused keys now, so nothing was revoked. Please look again.",
  TOKEN_USED: "This referral token has already been used.",
  TWO_FACTOR_ON: "Two-factor sign-in is on already. Turn it off first.",
  TWO_FACTOR_NOT_BEGUN: "Two-factor sign-in has not been set up yet.",
  BALANCE_TOO_LARGE: "The balance would be larger than an account may hold.",
  BACKUP_UNDER_WAY: "A backup is being made already.",
  BACKUPS_ELSEWHERE: "The database is a server, which is backed up by its own tools.",
  BODY_TOO_LARGE: "The body must be at most 64 KiB.",
  NOT_JSON: "The body must be JSON, with the content type application/json.",
  INVALID: "Username is required",
  INVALID_DAY_TIER: "Invalid day tier selected",
  TOKEN_UNKNOWN: "This referral token does not exist.",
  IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was already used for another request.",
  TOO_MANY_TRIES: "Too many tries. Please try again later.",
  STORAGE_UNAVAILABLE:
    "The server cannot write to its storage at the moment. Nothing was changed; please try again later.",
  BUSY: "The server is busy or stopping. Nothing was changed; please try again.",
  CLOCK_AHEAD: clockAheadSentence,
  FAULT: "Something went wrong on the server. Its log names this request 5f0c….",
};

/** A body without required fields is optional. */
function repairedBody(content: Record<string, { schema: Schema }>): NonNullable<Operation["requestBody"]> {
  const { schema } = content["application/json"] as { schema: Schema };
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  return { required, content: { "application/json": { schema: repairedSchema(schema) } } };
}

function repairedParameter({ examples, schema, ...rest }: Parameter): Parameter {
  const repaired = repairedSchema({ ...schema });
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) rest.example = repaired.type === "integer" ? Number(example) : example;
  return { ...rest, schema: repaired };
}

/**
 * TypeBox writes JSON Schema. OpenAPI 3.0 has no `const`, no `null` type, no `examples`, no flags, and none of our own
 * keywords.
 */
function repairedSchema(schema: Schema): Schema {
  const {
    says: _says,
    asInteger,
    examples,
    const: constant,
    anyOf,
    ...rest
  } = schema.type === "RegExp" ? textOf(schema) : schema;
  if (asInteger) {
    const { pattern: _pattern, ...integer } = rest;
    return { ...integer, type: "integer", minimum: 1 };
  }
  const repaired: Schema = repairedMembers(rest);
  if (Array.isArray(examples) && examples.length > 0) repaired.example = examples[0];
  if (constant !== undefined) repaired.enum = [constant];
  return anyOf ? { ...repaired, ...repairedUnion(anyOf) } : repaired;
}

/** OpenAPI cannot express a pattern that needs the flag `u`, so its description has to. */
function textOf({ source: _source, flags: _flags, ...schema }: Schema): Schema {
  return { ...schema, type: "string" };
}

function repairedUnion(anyOf: Schema[]): Schema {
  const members = anyOf.filter(({ type }) => type !== "null").map(repairedSchema);
  const orNull = (schema: Schema) => (members.length < anyOf.length ? nullable(schema) : schema);
  const [first] = members;
  if (first && members.every(({ enum: values, type }) => Array.isArray(values) && type === first.type)) {
    return orNull({ type: first.type, enum: members.flatMap(valuesOf) });
  }
  return orNull(members.length === 1 ? { ...first } : { anyOf: members });
}

/** An enumeration allows only the values it lists, so a nullable one also lists null. */
function nullable(schema: Schema): Schema {
  return { ...schema, nullable: true, ...(schema.enum !== undefined && { enum: [...valuesOf(schema), null] }) };
}

function valuesOf({ enum: values }: Schema): unknown[] {
  return values as unknown[];
}

function repairedMembers(schema: Schema): Schema {
  const result: Schema = { ...schema };
  if (schema.properties) {
    const properties = Object.entries(schema.properties as Record<string, Schema>);
    result.properties = Object.fromEntries(properties.map(([name, property]) => [name, repairedSchema(property)]));
  }
  if (schema.items) result.items = repairedSchema(schema.items as Schema);
  return result;
}
