import { ApiFailure } from "../../api/api.ts";
import { sayFailure } from "../../api/failure-toast.ts";

/** What stands by its field, and needs no toast beside it. */
const codesByField = new Set<string | null>(["WRONG_CREDENTIALS", "WRONG_SECOND_FACTOR"]);

export function sayFailureOfForm(error: unknown, fallback: string): void {
  if (!(error instanceof ApiFailure && codesByField.has(error.code))) sayFailure(error, fallback);
}
