import { type AnyElysia, Elysia } from "elysia";
import type { CallersOf } from "../accounts/access.ts";
import { cookieName } from "../accounts/sessions.ts";
import { version } from "../config/program.ts";
import type { RefusalCode } from "../core/refusal.ts";
import { type Description, publicTag } from "../http/describe.ts";
import { failureResponses, failureSchemas } from "./failures.ts";
import { headersNamed, ifNoneMatch, responseHeaders, successHeaders } from "./headers.ts";
import { createSchemaRepair, type Schema, type SchemaRepair, withoutElysiasMarks } from "./schemas.ts";

/** The parts of an OpenAPI 3.0 document that are repaired. */
interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  tags?: { name: string; description: string }[];
  servers?: { url: string }[];
  components?: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses?: Record<string, Response>;
  security?: unknown[];
  "x-more"?: Partial<Description>;
  "x-scope"?: string | null;
  "x-callers"?: CallersOf;
}
type Response = { description?: string; content?: Record<string, { schema?: Schema }> };
type Parameter = { name: string; in: string; schema: Schema; examples?: unknown; example?: unknown };

/** As on the API pages (rules.md: Device ids). */
const guide = `**Device ids** must survive a reinstall, or each one takes a slot. Make one of a source that the platform keeps:

- Android: \`Settings.Secure.ANDROID_ID\`
- iOS: a UUID in the Keychain (\`AfterFirstUnlockThisDeviceOnly\`)
- Windows: MachineGuid
- The web: a random id in IndexedDB
- Elsewhere: a random id that the game stores

The device id is \`d1.\` and the first 16 bytes, as base64url without padding, of SHA-512 over \`latchkey-device\`, the game's name and the source, joined by line feeds. The source is not sent. Never change the name in it, even if the game is renamed. Refuse a source that is empty or a placeholder, such as zeros.

**Offline** means no response or a 5xx. Any 4xx is a response.`;

const introduction =
  "License keys for mobile games. The calls under **Game clients** need no sign-in; all others need the session cookie that signing in sets, or an API key with the scope of the call. Every failure has the form `{ message, code }`: `code` is stable, `message` is for people.";

const about = { title: "Latchkey", version, description: `${introduction}\n\n${guide}` };

/**
 * The document behind /swagger. @elysiajs/swagger collects the routes, but its document does not validate (null types,
 * `const`, three content types for each body, no descriptions), so it is repaired here, once, at the first request.
 */
export async function openApiDocument(
  api: (app: Elysia) => AnyElysia,
  publicUrl: URL | null,
): Promise<OpenApiDocument> {
  // Loaded only now: its schema library would take a tenth of every start.
  const { swagger } = await import("@elysiajs/swagger");
  const collector = new Elysia().use(api).use(swagger({ documentation: { info: about } }));
  const response = await collector.handle(new Request("http://localhost/swagger/json"));
  const document = withoutElysiasMarks<OpenApiDocument>(await response.text());
  const schemas = createSchemaRepair();
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods))
      methods[method] = repairedOperation(method, operation, schemas);
  }
  return {
    ...document,
    ...(publicUrl && { servers: [{ url: publicUrl.origin }] }),
    // The viewer shows this group first, and the others in the order of their calls.
    tags: [{ name: publicTag, description: "Called by games. Needs no sign-in, and accepts any origin." }],
    components: {
      securitySchemes: { ...sessionSchemes, ...apiKeyScheme },
      schemas: { ...failureSchemas(schemas), ...schemas.named },
      headers: responseHeaders,
    },
  };
}

/** On https the session's cookie has another name. Either of them signs a call in, or an API key does. */
const sessionSchemes = {
  session: { type: "apiKey", in: "cookie", name: cookieName("session", true), description: "On https" },
  sessionOnHttp: { type: "apiKey", in: "cookie", name: cookieName("session", false), description: "On http" },
};

const apiKeyScheme = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "For programs: an API key (`lk_…`) with the scope in the call's `x-scope`. It replaces the cookie.",
  },
};
const sessions = Object.keys(sessionSchemes).map((name) => ({ [name]: [] }));
const byApiKey = { apiKey: [] };

/** Calls that need no sign-in accept an API key too, if they have a scope. */
function securityOf(needsSignIn: boolean, scope: string | null): { security?: object[] } {
  if (needsSignIn) return { security: scope === null ? sessions : [...sessions, byApiKey] };
  return scope === null ? {} : { security: [{}, byApiKey] };
}

/** The refusals of programs, by the scope of the call. */
function programsRefusals(scope: string | null, declared: readonly RefusalCode[]): RefusalCode[] {
  const always = ["API_KEY_UNKNOWN", "API_KEY_EXPIRED", "ADDRESS_NOT_ALLOWED"] as const;
  if (scope === null) return [...always, "API_KEY_NOT_ALLOWED"];
  const spends = declared.includes("CREDITS_SHORT") ? (["CREDITS_PER_DAY_SPENT"] as const) : [];
  return [...always, ...spends, ...(scope === "any" ? [] : (["SCOPE_MISSING"] as const))];
}

function repairedOperation(method: string, operation: Operation, schemas: SchemaRepair): Operation {
  const {
    "x-more": more = {},
    "x-scope": scope = null,
    "x-callers": callers = "anyOrigin",
    responses: checked = {},
    requestBody,
    parameters: declaredParameters = [],
    ...rest
  } = operation;
  const { refusals: declared = [], bodyTypes, isVerdict = false, unchecked, hasEtag = false } = more;
  const parameters = [
    ...declaredParameters.map((parameter) => repairedParameter(parameter, schemas)),
    ...(hasEtag ? [ifNoneMatch] : []),
  ];
  const isForPrograms = rest.operationId !== "readSession" && callers !== "shops";
  const refusals = [
    ...declared,
    ...derivedRefusals(method, callers, parameters, requestBody),
    ...(isForPrograms ? programsRefusals(scope, declared) : []),
  ];
  const responses: Record<string, Response> = unchecked
    ? { "200": { content: { "application/json": { schema: unchecked } } } }
    : checked;
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: repairedBody(requestBody.content, schemas) }),
    ...(bodyTypes && { requestBody: { required: true, content: filesOf(bodyTypes) } }),
    responses: {
      ...successes(responses, { ...more, parameters, schemas }),
      ...(hasEtag && { "304": { description: "Unchanged: the client already has it", ...headersNamed("ETag") } }),
      ...failureResponses(refusals, { isVerdict }),
    },
    "x-scope": scope,
    ...securityOf(refusals.includes("NOT_SIGNED_IN"), scope),
  };
}

/** The refusals that follow from who may make a call, its method and its schemas. */
function derivedRefusals(
  method: string,
  callers: CallersOf,
  parameters: Parameter[],
  body: Operation["requestBody"],
): RefusalCode[] {
  const isIn = (place: string) => parameters.some((parameter) => parameter.in === place);
  const isOpen = ["anyOrigin", "ownPages", "shops"].includes(callers);
  const isNamed = Object.values(body?.content ?? {}).some(({ schema }) =>
    Object.keys(schema.properties ?? {}).includes("externalId"),
  );
  // Even a call without a body may be sent a bad one.
  const unsafe = ["CROSS_SITE", "INVALID_JSON", "BODY_TOO_LARGE", "NOT_JSON", "INVALID", "TOO_MANY_TRIES"] as const;
  const rules: [applies: boolean, ...refusals: RefusalCode[]][] = [
    [isIn("path"), "INVALID_PATH"],
    [parameters.some(({ name }) => name.toLowerCase() === "idempotency-key"), "IDEMPOTENCY_KEY_REUSED"],
    [isNamed, "EXTERNAL_ID_REUSED"],
    [!isOpen, "NOT_SIGNED_IN"],
    [!isOpen && callers !== "signedIn", "FORBIDDEN", "RIGHT_MISSING", "TOO_MANY_TRIES"],
    [!isOpen && isIn("path"), "NOT_FOUND"],
    [method !== "get" && callers !== "anyOrigin" && callers !== "shops", ...unsafe],
    [isIn("query"), "INVALID"],
  ];
  return rules.flatMap(([applies, ...refusals]) => (applies ? refusals : []));
}

function successes(
  responses: Record<string, Response>,
  {
    example,
    isCsvToo = false,
    fileTypes,
    hasEtag = false,
    parameters,
    schemas,
  }: Partial<Description> & { parameters: Parameter[]; schemas: SchemaRepair },
): Record<string, object> {
  const entries = Object.entries(responses).map(([status, { content }]) => {
    const body = content?.["application/json"]?.schema;
    const description = status === "201" ? "Created" : "Done";
    if (fileTypes) {
      return [status, { description, content: filesOf(fileTypes) }];
    }
    const anyRow = { type: "object", additionalProperties: true };
    const schema = body ? schemas.repaired(body) : { type: "array", items: anyRow };
    const csv = isCsvToo ? { "text/csv": { schema: { type: "string" } } } : {};
    const headers = headersNamed(...successHeaders(parameters, { body, hasEtag }));
    return [status, { description, ...headers, content: { "application/json": { schema, example }, ...csv } }];
  });
  return Object.fromEntries(entries);
}

/** The content of a response or a body that is a file. */
function filesOf(types: readonly string[]): Record<string, { schema: Schema }> {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

/** A body without required fields is optional. */
function repairedBody(
  content: Record<string, { schema: Schema }>,
  { repaired }: SchemaRepair,
): NonNullable<Operation["requestBody"]> {
  const { schema } = content["application/json"] as { schema: Schema };
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  return { required, content: { "application/json": { schema: repaired(schema) } } };
}

function repairedParameter({ examples, name, schema, ...rest }: Parameter, { repaired }: SchemaRepair): Parameter {
  const shape = repaired(schema);
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) rest.example = shape.type === "integer" ? Number(example) : example;
  return { name: rest.in === "header" ? capitalized(name) : name, ...rest, schema: shape };
}

/** Elysia knows headers by their names in lower case. */
function capitalized(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
