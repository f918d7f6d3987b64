import { useRef } from "react";
import type { FieldProblem } from "../../src/refusal.ts";
import { ApiFailure } from "../server/api.ts";

/**
 * The Idempotency-Key of each submission. An order that is sent again unchanged carries the key of the first try, so that one whose
 * answer was lost is not made twice. A changed order is another submission, and so is any order after a success.
 */
export function useSubmission() {
  const last = useRef({ order: "", idempotencyKey: "" });
  return {
    headersFor(body: object): Record<string, string> {
      const order = JSON.stringify(body);
      if (order !== last.current.order) last.current = { order, idempotencyKey: randomKey() };
      return { "idempotency-key": last.current.idempotencyKey };
    },
    succeed() {
      last.current = { order: "", idempotencyKey: "" };
    },
  };
}

/** `crypto.randomUUID` is missing where the panel is reached by plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the server has against which field; a custom key that is taken is a refusal of its own. */
export function fieldProblemsOf(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiFailure)) return [];
  return error.code === "KEY_TAKEN" ? [{ path: "keyString", message: error.message }] : error.errors;
}
