import type { TSchema } from "@sinclair/typebox";
import type { RefusalCode } from "../core/refusal.ts";

/** Under which heading /swagger has the calls that need no login. */
export const publicTag = "Game clients";

/** What /swagger says of a call beyond its schemas. `swagger/document.ts` turns it into the document's responses. */
export interface Description {
  /** The operation id, unique in the document. */
  id: string;
  summary: string;
  description?: string;
  /** The body of the answer when it succeeds. */
  example: unknown;
  refusals: readonly RefusalCode[];
  /** With `?format=csv` it answers a file. */
  isCsvToo?: boolean;
  /** It answers nothing but a file, of one of these types. */
  fileTypes?: readonly string[];
  /** Its failures say `valid: false` as well. */
  isVerdict?: boolean;
  /** The shape of the body, for the calls of every game start: Elysia would check each response against a `response` schema. */
  unchecked?: TSchema;
}

/** The refusals of every call that reads for one role. */
export const whenSignedIn = ["NOT_SIGNED_IN", "FORBIDDEN"] as const satisfies RefusalCode[];

/** The refusals that every list, search and download adds: they wait for their turn beside the server. */
export const whenQuerying = ["BUSY", "STORAGE_UNAVAILABLE"] as const satisfies RefusalCode[];

/** The refusals that every unsafe call adds: also one that needs no body may be sent a bad one. */
export const whenWriting = [
  "CROSS_SITE",
  "INVALID_JSON",
  "BODY_TOO_LARGE",
  "NOT_JSON",
  "INVALID",
  "BUSY",
  "STORAGE_UNAVAILABLE",
] as const satisfies RefusalCode[];

/** A route's `detail`, in which Elysia passes unknown `x-` members through to the document. */
export function described({
  id,
  summary,
  description,
  example,
  refusals,
  isCsvToo = false,
  fileTypes,
  isVerdict = false,
  unchecked,
}: Description) {
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    "x-example": example,
    "x-refusals": refusals,
    "x-csv": isCsvToo,
    "x-files": fileTypes,
    ...(unchecked && { "x-unchecked": unchecked }),
    "x-failure": isVerdict ? "VerdictFailure" : "Failure",
  };
}
