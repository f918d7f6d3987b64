import { keysPerBatchMax } from "../../../src/keys/limits.ts";
import { priceTenthsPerKey } from "../../../src/keys/pricing.ts";
import { type BoughtKeys, KeyPurchase } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { problemsIn } from "../../form.ts";
import { fieldProblemsOf, useSubmission } from "../../key-order/submission.ts";
import { ApiFailure } from "../../server/api.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { buyKeys, ownKeyList } from "../../server/own-keys.ts";
import { profileQuery } from "../../server/profile.ts";
import { queryClient, refresh } from "../../server/query.ts";
import { sessionQuery } from "../../server/session.ts";
import { useWork } from "../../server/work.ts";
import { loseSession } from "../../state/signals.ts";
import { showToast } from "../../ui/toast/store.ts";

export type Bought = BoughtKeys["keys"];

interface Outcome {
  onBought: (keys: Bought) => void;
  /** Told what is wrong with which field; with nothing, where the refusal names none. */
  onRefused: (problems: readonly FieldProblem[]) => void;
}

/** Buys keys. What was typed stays in the form when it fails. */
export function usePurchase(resellerId: number, { onBought, onRefused }: Outcome) {
  const submission = useSubmission();
  const purchase = useWork({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body: KeyPurchase = { ...order, resellerId };
      return buyKeys(body, submission.headersFor(body));
    },
    onSuccess: ({ keys }) => {
      submission.succeed();
      showToast({ title: "Success", description: `Generated ${keys.length} key(s) successfully` });
      onBought(keys);
      void refresh(ownKeyList, profileQuery);
    },
    onError: (error, { count }) => {
      sayFailure(error, count === 1 ? "Failed to generate key" : "Failed to generate keys");
      onRefused(fieldProblemsOf(error));
      // The balance that the form was priced with was an old one.
      if (error instanceof ApiFailure && error.code === "CREDITS_SHORT") void refresh(profileQuery);
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

export function problemsInOrder(order: KeyPurchase): FieldProblem[] {
  return problemsIn(KeyPurchase, order, unknownTier);
}

/** Said while one types: so many keys mostly cost more than there is, and then the button that would say it cannot be pressed. */
export function tooManyKeys(text: string): string | undefined {
  const count = Number(text);
  if (count <= keysPerBatchMax) return undefined;
  return problemsInOrder({ count } as KeyPurchase).find(({ path }) => path === "count")?.message;
}

/** The schema takes any whole number of days, because the server refuses an unknown tier by a code of its own. */
function unknownTier({ days }: KeyPurchase): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}
