import { Type } from "@sinclair/typebox";
import { suspendedSentence, switchedOffSentence } from "../accounts/suspension.ts";
import { oneOf } from "../core/field.ts";
import { clockAheadSentence, type RefusalCode, refusalCodes } from "../core/refusal.ts";
import { statusOf } from "../http/errors.ts";
import { Failure } from "../http/schema.ts";
import { headersNamed } from "./headers.ts";
import type { SchemaRepair } from "./schemas.ts";

const codes = [...refusalCodes, "FAULT"] as const;
type Code = (typeof codes)[number];

/** Any call may be refused with these. */
const always = ["UNKNOWN_HOST", "FAULT", "BUSY", "STORAGE_UNAVAILABLE"] as const satisfies Code[];

const statusOfCode = { ...statusOf, FAULT: 500 };

const retryAfterStatuses = new Set([429, 503]);

/** The failures that the document names; each response says which of the codes it may have. */
export function failureSchemas({ repaired }: SchemaRepair): Record<string, object> {
  const failure = repaired(Type.Object({ ...Failure.properties, code: oneOf(codes) }));
  const without = repaired(Type.Object({ valid: Type.Literal(false) }));
  return { Failure: failure, VerdictFailure: { allOf: [{ $ref: "#/components/schemas/Failure" }, without] } };
}

/** The responses of a call for these refusals and for those that any call may have, by status. */
export function failureResponses(
  refusals: readonly RefusalCode[],
  { isVerdict }: { isVerdict: boolean },
): Record<string, object> {
  const possible = new Set<Code>([...refusals, ...always]);
  const byStatus = Map.groupBy(possible, (code) => statusOfCode[code]);
  const fixed = isVerdict ? { valid: false } : {};
  const shape = isVerdict ? "VerdictFailure" : "Failure";
  const entries = [...byStatus].map(([status, codes]) => {
    const examples = Object.fromEntries(
      codes.map((code) => [code, { value: { ...fixed, message: exampleSentences[code], code } }]),
    );
    const schema = {
      allOf: [{ $ref: `#/components/schemas/${shape}` }],
      properties: { code: { type: "string", enum: codes } },
    };
    const content = { "application/json": { schema, examples } };
    const headers = retryAfterStatuses.has(status) ? headersNamed("Retry-After") : {};
    return [String(status), { description: codes.join(" or "), ...headers, content }];
  });
  return Object.fromEntries(entries);
}

/** A typical message of each failure. Only `code` is stable; a message may be more specific. */
const exampleSentences: Record<RefusalCode | "FAULT", string> = {
  INVALID_JSON: "The body is not valid JSON.",
  INVALID_PATH: "The path must not contain dot segments, backslashes or encoded slashes.",
  UNKNOWN_HOST: "This server does not accept that host name.",
  NOT_SIGNED_IN: "Please sign in first.",
  API_KEY_UNKNOWN: "There is no such API key.",
  API_KEY_EXPIRED: "This API key has expired.",
  WRONG_CREDENTIALS: "Invalid username or password",
  SECOND_FACTOR_NEEDED: "Please enter the code from your authenticator app, or a recovery code.",
  WRONG_SECOND_FACTOR: "The code is wrong or has already been used.",
  CREDITS_SHORT: "You need 3.0 more credits to generate 2 key(s).",
  SIGNATURE_WRONG: "The signature in X-Signature does not fit the body and the secret.",
  FORBIDDEN: "Your account is not allowed to do this.",
  RIGHT_MISSING: "Your account needs the right keys:order for this.",
  SCOPE_MISSING: "This API key needs the scope keys:order for this call.",
  API_KEY_NOT_ALLOWED: "No API key may make this call.",
  ADDRESS_NOT_ALLOWED: "This API key may not be used from this address.",
  SUSPENDED: suspendedSentence,
  SWITCHED_OFF: switchedOffSentence,
  CROSS_SITE: "This call must come from Latchkey's own pages.",
  NOT_FOUND: "There is nothing with this id.",
  METHOD_NOT_ALLOWED: "This address accepts only GET.",
  USERNAME_TAKEN: "This username is already taken.",
  KEY_TAKEN: "The key SUMMER-2025 is already taken.",
  NAME_TAKEN: "The name FREE FIRE is already taken.",
  HOURS_TAKEN: "There is a duration of 720 hours already.",
  KEY_ALREADY_REVOKED: "The key is already revoked.",
  RELEASE_NOT_ALLOWED: "Players cannot free devices of this key. Please ask the seller.",
  DEVICE_NOT_FOUND: "The key has no such device.",
  RELEASE_TOO_SOON: "It is too soon to free another device.",
  REPLACED_TOO_OFTEN: "This key was replaced 3 times in the last 30 days. Please ask an admin to replace it.",
  KEY_NOT_ACTIVE: "Only an active key can be revoked.",
  PAUSE_USED_UP: "This key has been paused for 30 days in total, so it cannot be paused again.",
  PAUSED_BY_ADMIN: "An admin paused this key, so only an admin can resume it.",
  ALREADY_UNDONE: "This intervention has already been undone.",
  NOT_UNDOABLE: "Only a compensation can be undone.",
  IMPORT_IN_USE:
    "A key of order 12 has been used since: a device connected, something was paid for it, or it was replaced.",
  IMPORT_UNDER_WAY: "This file is being imported already.",
  DEVICES_CONNECTED: "3 devices are connected. Remove devices first.",
  EXPIRY_TOO_FAR: "The expiry would be more than 100 years from now.",
  COUNT_CHANGED: "The order now has 4 unused keys, so nothing was revoked. Please check again.",
  COST_CHANGED: "This would now cost 30.0 credits, so nothing was done. Please check again.",
  TOKEN_USED: "This referral token has already been used.",
  TWO_FACTOR_ON: "Two-factor sign-in is already on. Turn it off first.",
  TWO_FACTOR_NOT_BEGUN: "Two-factor sign-in has not been set up yet.",
  BALANCE_TOO_LARGE: "The balance would exceed the maximum.",
  NOTHING_LEFT: "None of this grant can be taken back.",
  TOO_MANY_API_KEYS: "An account has at most 20 API keys. Delete one first.",
  TOO_MANY_WEBHOOKS: "An account has at most 10 webhooks. Delete one first.",
  TOO_MANY_BLOCKS: "At most 10,000 devices can be blocked. Unblock some first.",
  TOO_MANY_STAFF: "A reseller has at most 20 staff accounts. Remove one first.",
  TOO_MANY_SHOP_LINKS: "An account has at most 20 shop links. Delete one first.",
  SALE_CHANGED: "The sale 6f2c1:40127 was delivered with 1 key(s).",
  BACKUP_UNDER_WAY: "A backup is already running.",
  BACKUPS_ELSEWHERE: "This database is backed up with its own tools.",
  BODY_TOO_LARGE: "The body must be at most 64 KiB.",
  NOT_JSON: "The body must be JSON, with the content type application/json.",
  INVALID: "Username is required",
  INVALID_DAY_TIER: "Invalid day tier selected",
  NOT_SOLD: "FREE FIRE is no longer sold.",
  TOKEN_UNKNOWN: "This referral token does not exist.",
  IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was already used for another request.",
  EXTERNAL_ID_REUSED: "This externalId was already used for another order.",
  TOO_MANY_TRIES: "Too many attempts. Please try again later.",
  CREDITS_PER_DAY_SPENT: "This API key has spent its credits for today.",
  STORAGE_UNAVAILABLE:
    "The server cannot write to its storage at the moment. Nothing was changed; please try again later.",
  BUSY: "The server is busy or stopping. Nothing was changed; please try again.",
  CLOCK_AHEAD: clockAheadSentence,
  FAULT: "Something went wrong on the server. See request 5f0c… in its log.",
};
