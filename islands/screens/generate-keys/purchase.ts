import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { BoughtKeys, KeyPurchase } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { ApiFailure, failureText, postJson } from "../../api.ts";
import { queryClient, refresh, sessionQuery } from "../../query.ts";
import { errorToastDurationMs, showToast } from "../../ui/toast-store.ts";

export type Bought = BoughtKeys["keys"];

interface Outcome {
  onBought: (keys: Bought) => void;
  /** Told what is wrong with which field; with nothing, where the refusal names none. */
  onRefused: (problems: readonly FieldProblem[]) => void;
}

/** Buys keys. What was typed stays in the form when it fails. */
export function usePurchase(resellerId: number, { onBought, onRefused }: Outcome) {
  const submission = useRef({ order: "", idempotencyKey: "" });
  const purchase = useMutation({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body = { ...order, resellerId };
      submission.current = submissionOf(body, submission.current);
      const headers = { "idempotency-key": submission.current.idempotencyKey };
      return postJson<BoughtKeys>("/api/reseller/keys/generate", body, headers);
    },
    onSuccess: ({ keys }) => {
      submission.current = { order: "", idempotencyKey: "" };
      showToast({ title: "Success", description: `Generated ${keys.length} key(s) successfully` });
      onBought(keys);
      void refresh("/api/reseller/keys", "/api/reseller/profile");
    },
    onError: (error, { count }) => {
      showToast({
        title: "Error",
        description: failureText(error, count === 1 ? "Failed to generate key" : "Failed to generate keys"),
        style: "destructive",
        durationMs: errorToastDurationMs,
      });
      onRefused(fieldProblemsOf(error));
      // The balance that the form was priced with was an old one.
      if (error instanceof ApiFailure && error.code === "CREDITS_SHORT") void refresh("/api/reseller/profile");
    },
  });
  return { buy: (order: KeyPurchase) => purchase.mutate(order), busy: purchase.isPending };
}

/**
 * An order that is sent again unchanged carries the key of the first try, so that one whose answer was lost is not paid twice. A
 * changed order is another submission.
 */
function submissionOf(body: object, last: { order: string; idempotencyKey: string }) {
  const order = JSON.stringify(body);
  return order === last.order ? last : { order, idempotencyKey: randomKey() };
}

/** Section 7: the session is asked for before keys are generated. Somebody else's session in this browser is not this page's. */
async function refuseLostSession(resellerId: number): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (!session.isAuthenticated || session.user?.id !== resellerId) {
    throw new ApiFailure(401, "User session not found. Please log in again.");
  }
}

/** `crypto.randomUUID` is missing where the panel is reached by plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fieldProblemsOf(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiFailure)) return [];
  return error.code === "KEY_TAKEN" ? [{ path: "keyString", message: error.message }] : error.errors;
}
