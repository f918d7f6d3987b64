import type { RefusalCode } from "../refusal.ts";

/** What /swagger says of a call beyond its schemas. `http/docs.ts` turns it into the document's responses. */
export interface Description {
  /** The operation id, unique in the document. */
  id: string;
  summary: string;
  description?: string;
  /** The body of the answer when it succeeds. */
  example: unknown;
  refusals: readonly RefusalCode[];
}

/** The refusals of every call that reads for one role. */
export const whenSignedIn = ["NOT_SIGNED_IN", "FORBIDDEN"] as const satisfies RefusalCode[];

/** The refusals that every unsafe call adds. */
export const whenWriting = ["CROSS_SITE", "NOT_JSON", "BUSY", "STORAGE_UNAVAILABLE"] as const satisfies RefusalCode[];

/** The refusals that every call with a body adds. */
export const whenSending = ["INVALID_JSON", "BODY_TOO_LARGE", "INVALID"] as const satisfies RefusalCode[];

/** A route's `detail`, in which Elysia passes unknown `x-` members through to the document. */
export function described({ id, summary, description, example, refusals }: Description) {
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    "x-example": example,
    "x-refusals": refusals,
  };
}
