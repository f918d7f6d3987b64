import { useRef } from "react";

/**
 * The Idempotency-Key of each submission. An order that is sent again unchanged has the key of the first try, so that
 * an order whose response was lost is not carried out twice. A changed order is another submission, and so is any order
 * after a success.
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
