import { useMutation } from "@tanstack/react-query";
import type { BoughtKeys, KeyPurchase } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { ApiFailure, failureText, postJson } from "../../api.ts";
import { fieldProblemsOf, useSubmission } from "../../key-order/submission.ts";
import { queryClient, refresh, sessionQuery } from "../../query.ts";
import { loseSession } from "../../signals.ts";
import { errorToastDurationMs, showToast } from "../../ui/toast-store.ts";

export type Bought = BoughtKeys["keys"];

interface Outcome {
  onBought: (keys: Bought) => void;
  /** Told what is wrong with which field; with nothing, where the refusal names none. */
  onRefused: (problems: readonly FieldProblem[]) => void;
}

/** Buys keys. What was typed stays in the form when it fails. */
export function usePurchase(resellerId: number, { onBought, onRefused }: Outcome) {
  const submission = useSubmission();
  const purchase = useMutation({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body = { ...order, resellerId };
      return postJson<BoughtKeys>("/api/reseller/keys/generate", body, submission.headersFor(body));
    },
    onSuccess: ({ keys }) => {
      submission.succeed();
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

/** Section 7: the session is asked for before keys are generated. Somebody else's session in this browser is not this page's. */
async function refuseLostSession(resellerId: number): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (!session.isAuthenticated || session.user?.id !== resellerId) {
    // The answer was no refusal, so that the call itself has not told of it.
    loseSession("acting");
    throw new ApiFailure(401, "User session not found. Please log in again.");
  }
}
