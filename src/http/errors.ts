import { getLogger } from "@logtape/logtape";
import type { TSchema } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/errors";
import type { ValidationError } from "elysia";
import { problemsOf } from "../core/field-problems.ts";
import { Refusal, type RefusalCode } from "../core/refusal.ts";
import { printable } from "../core/text.ts";
import { traceOf } from "./logging/request-log.ts";
import type { SecurityLog } from "./logging/security-log.ts";
import type { Failure } from "./schema.ts";

const log = getLogger(["latchkey", "http"]);

/** The one place where a refusal becomes an HTTP status (rules.md: Statuses). */
export const statusOf: Record<RefusalCode, number> = {
  INVALID_JSON: 400,
  INVALID_PATH: 400,
  UNKNOWN_HOST: 400,
  NOT_SIGNED_IN: 401,
  API_KEY_UNKNOWN: 401,
  API_KEY_EXPIRED: 401,
  WRONG_CREDENTIALS: 401,
  SECOND_FACTOR_NEEDED: 401,
  WRONG_SECOND_FACTOR: 401,
  SIGNATURE_WRONG: 401,
  CREDITS_SHORT: 402,
  FORBIDDEN: 403,
  RIGHT_MISSING: 403,
  SCOPE_MISSING: 403,
  API_KEY_NOT_ALLOWED: 403,
  ADDRESS_NOT_ALLOWED: 403,
  SUSPENDED: 403,
  SWITCHED_OFF: 403,
  CROSS_SITE: 403,
  RELEASE_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  DEVICE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  USERNAME_TAKEN: 409,
  KEY_TAKEN: 409,
  NAME_TAKEN: 409,
  HOURS_TAKEN: 409,
  KEY_ALREADY_REVOKED: 409,
  REPLACED_TOO_OFTEN: 409,
  KEY_NOT_ACTIVE: 409,
  PAUSE_USED_UP: 409,
  PAUSED_BY_ADMIN: 409,
  ALREADY_UNDONE: 409,
  NOT_UNDOABLE: 409,
  IMPORT_IN_USE: 409,
  IMPORT_UNDER_WAY: 409,
  DEVICES_CONNECTED: 409,
  EXPIRY_TOO_FAR: 409,
  COUNT_CHANGED: 409,
  COST_CHANGED: 409,
  TOKEN_USED: 409,
  TWO_FACTOR_ON: 409,
  TWO_FACTOR_NOT_BEGUN: 409,
  BALANCE_TOO_LARGE: 409,
  NOTHING_LEFT: 409,
  TOO_MANY_API_KEYS: 409,
  TOO_MANY_WEBHOOKS: 409,
  TOO_MANY_STAFF: 409,
  TOO_MANY_SHOP_LINKS: 409,
  SALE_CHANGED: 409,
  TOO_MANY_BLOCKS: 409,
  BACKUP_UNDER_WAY: 409,
  BACKUPS_ELSEWHERE: 409,
  BODY_TOO_LARGE: 413,
  NOT_JSON: 415,
  INVALID: 422,
  INVALID_DAY_TIER: 422,
  NOT_SOLD: 422,
  TOKEN_UNKNOWN: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  EXTERNAL_ID_REUSED: 422,
  TOO_MANY_TRIES: 429,
  RELEASE_TOO_SOON: 429,
  CREDITS_PER_DAY_SPENT: 429,
  STORAGE_UNAVAILABLE: 503,
  BUSY: 503,
  CLOCK_AHEAD: 503,
};

/** How failures at and below a path differ from all others, including those of unknown addresses there. */
export interface FailureShape {
  below: string;
  shaped: (failure: Failure) => Failure;
}

interface Reply {
  status?: number | string;
  headers: Record<string, string | number | undefined>;
}

/**
 * Sets status and headers for an error and returns the body. Nothing of an unknown error reaches the client. `route` is
 * the route's pattern: an address may hold a key, and is not logged.
 */
export function failureResponse(
  error: unknown,
  reply: Reply,
  { request, route, securityLog }: { request: Request; route: string; securityLog: SecurityLog },
): Failure {
  const trace = traceOf(request);
  const { requestId } = trace;
  reply.headers["x-request-id"] = requestId;
  const refusal = refusalIn(error);
  trace.account = refusal?.account ?? trace.account;
  if (!refusal) {
    securityLog.failed();
    return faultResponse(error, reply, { requestId, route });
  }
  securityLog.refused(refusal, request, route);
  reply.status = statusOf[refusal.code];
  const { errors, retryAfterSeconds, cost, allowedAt } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.headers["retry-after"] = String(retryAfterSeconds);
  // A sentence may repeat what was sent.
  const said = errors?.map(({ path, message }) => ({ path, message: printable(message) }));
  return {
    message: printable(refusal.message),
    code: refusal.code,
    ...(said && { errors: said }),
    ...(cost !== undefined && { cost }),
    ...(allowedAt !== undefined && { allowedAt }),
  };
}

/** Translates Elysia's own errors. Returns null for an unexpected error. */
function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "VALIDATION") return refusalOfValidation(error as ValidationError);
  if (code === "NOT_FOUND") return new Refusal("NOT_FOUND", "There is nothing at this address.");
  if (code === "PARSE") return new Refusal("INVALID_JSON", "The body is not valid JSON.");
  return null;
}

function refusalOfValidation(error: ValidationError): Refusal | null {
  // A response that fails its own schema is a fault of the server.
  if (error.type === "response") return null;
  const { validator } = error;
  if (!("Errors" in validator)) return null;
  const errors = [...validator.Errors(error.value)];
  // A wrong path parameter without its own message (an id) names nothing that exists.
  if (error.type === "params" && errors.every(({ schema }) => schema.says === undefined)) {
    return new Refusal("NOT_FOUND", "There is nothing with this id.");
  }
  return refusalOf(errors, (validator as unknown as { schema: TSchema }).schema);
}

/** Describes invalid input in the words of its fields, in the order of the schema. */
export function refusalOf(errors: Iterable<ValueError>, schema: TSchema): Refusal {
  const fields = Object.keys(schema.properties ?? {});
  const problems = problemsOf(errors).sort((a, b) => fields.indexOf(a.path) - fields.indexOf(b.path));
  return new Refusal("INVALID", problems[0]?.message ?? "The request is malformed.", { errors: problems });
}

function faultResponse(
  error: unknown,
  reply: Reply,
  { requestId, route }: { requestId: string; route: string },
): Failure {
  reply.status = 500;
  log.error("A request failed: {route} {requestId} {error}", {
    route,
    requestId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return {
    message: `Something went wrong on the server. See request ${requestId} in its log.`,
    code: "FAULT",
  };
}
