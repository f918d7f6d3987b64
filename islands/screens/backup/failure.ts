import { ApiFailure, failureText } from "../../server/api.ts";

/**
 * Section 8 has two wordings for a list that did not come: 'fetch' where the server answered and refused without a sentence of its
 * own, 'load' where no answer came or none that can be read.
 */
export function listFailureText(error: unknown): string {
  const answered = error instanceof ApiFailure && error.answer !== "nothing";
  return answered ? failureText(error, "Failed to fetch MongoDB collections") : "Failed to load MongoDB collections";
}
