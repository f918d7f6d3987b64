import type { TSchema } from "@sinclair/typebox";
import type { RefusalCode } from "../core/refusal.ts";

/** The heading in /swagger of the calls that need no sign-in. */
export const publicTag = "Game clients";

/** What /swagger shows for a call beyond its schemas. `swagger/document.ts` turns it into the document's responses. */
export interface Description {
  /** The operation id, unique in the document. */
  id: string;
  summary: string;
  description?: string;
  /** The body of a successful response. */
  example: unknown;
  /** Those that do not follow from who may call it, its method and its schemas (`swagger/document.ts`). */
  refusals?: readonly RefusalCode[];
  /** With `?format=csv` it returns a file. */
  isCsvToo?: boolean;
  /** It always returns a file, of one of these types. */
  fileTypes?: readonly string[];
  /** Its body is a file, of one of these types. */
  bodyTypes?: readonly string[];
  /** Its failures include `valid: false`. */
  isVerdict?: boolean;
  /**
   * The shape of the body, for the calls of every game start: Elysia would check each response against a `response`
   * schema.
   */
  unchecked?: TSchema;
  /** The scope with which a program calls it, if no hook of `accounts/access.ts` declares that. */
  scope?: string;
  /** It has an `ETag`, and is a 304 for a client that has it already. */
  hasEtag?: boolean;
}

/** A route's `detail`, in which Elysia passes unknown `x-` members through to the document. */
export function described({ id, summary, description, scope, ...more }: Description) {
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    ...(scope !== undefined && { "x-scope": scope }),
    "x-more": more,
  };
}
