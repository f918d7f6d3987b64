import type { VerdictCode } from "../verify/schema.ts";

/** What a client does with each verdict, in the order in which the server checks them (rules.md: Verdicts). */
export const verdictOutcomes: Record<VerdictCode, string> = {
  VALID: "Let the player in.",
  NOT_FOUND: "No such key for this game. Ask the player to check what was typed.",
  REVOKED: "The key was taken back for good. Send the player to whoever sold it.",
  EXPIRED: "The key has run out. Offer a new one.",
  DEVICE_LIMIT_REACHED: "The key is in use on as many devices as it allows. The seller can remove one.",
};

export interface FailureOutcome {
  statuses: number[];
  what: string;
}

/** What a client does when no verdict came. */
export const failureOutcomes: FailureOutcome[] = [
  { statuses: [400, 413, 415, 422], what: "The request is malformed. Do not retry; message says what is wrong." },
  { statuses: [429], what: "Too many unknown keys from this address. Wait as many seconds as Retry-After says." },
  { statuses: [500, 503], what: "The server has trouble. Retry after 1 s, then 2 s, then 4 s." },
];
