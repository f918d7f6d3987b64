import type { ApiFailure } from "../../server/api.ts";

/** Section 8. A server that could not be reached has no status to tell. */
export function listFailureText(error: unknown): string {
  const { status, message } = error as ApiFailure;
  return status ? `HTTP error! status: ${status}` : message;
}
