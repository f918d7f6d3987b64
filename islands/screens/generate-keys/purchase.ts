import { priceTenthsPerKey } from "../../../src/catalogue/catalogue.ts";
import { nonBlank } from "../../../src/core/field.ts";
import type { FieldProblem } from "../../../src/core/refusal.ts";
import { keysPerBatchMax } from "../../../src/keys/limits.ts";
import { Count, type KeyPurchase } from "../../../src/orders/schema.ts";
import { ApiFailure } from "../../api/api.ts";
import { buyKeys, ownKeyList } from "../../api/calls/keys.ts";
import { profileQuery, sessionQuery } from "../../api/calls/session.ts";
import { queryClient, refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { loseSession } from "../../state/signals.ts";
import { useSubmission } from "../keys/order/submission.ts";

/** Buys keys, all of them or none. */
export function usePurchase(resellerId: number) {
  const submission = useSubmission();
  return useWork({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body: KeyPurchase = { ...order, keyString: nonBlank(order.keyString), resellerId };
      return buyKeys(body, submission.headersFor(body));
    },
    done: ({ keys }) => `Generated ${keys.length} key(s) successfully`,
    failed: (_, { count }) => (count === 1 ? "Failed to generate key" : "Failed to generate keys"),
    onSuccess: () => {
      submission.succeed();
      void refresh(ownKeyList, profileQuery);
    },
    onError: (error) => {
      // The balance that the form was priced with was an old one.
      if (error instanceof ApiFailure && error.code === "CREDITS_SHORT") void refresh(profileQuery);
    },
  });
}

/** The session is fetched before keys are bought, because another account may have signed in since in this browser. */
async function refuseLostSession(resellerId: number): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (!session.isAuthenticated || session.user?.id !== resellerId) {
    // The answer was no refusal, so that the call itself has not told of it.
    loseSession("acting");
    throw new ApiFailure(401, "User session not found. Please log in again.");
  }
}

/** Said while one types: so many keys mostly cost more than there is, and then the button that would say it cannot be pressed. */
export function tooManyKeys(count = 0): string | undefined {
  return count > keysPerBatchMax ? Count.says?.tooLarge : undefined;
}

/** The schema takes any whole number of days, because the server refuses an unknown tier by a code of its own. */
export function problemsInPurchase({ days }: KeyPurchase): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}
