import { nonBlank } from "../../../src/core/field.ts";
import { type AdminKeyForm, expiryDateAfter } from "../../../src/orders/admin-key-form.ts";
import type { AdminKeyOrder } from "../../../src/orders/schema.ts";
import { adminKeyList, makeKeys } from "../../api/calls/keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { useSubmission } from "../keys/order/submission.ts";

/** Makes admin keys, all of them or none. */
export function useMake() {
  const submission = useSubmission();
  return useWork({
    mutationFn: ({ days, keyString, ...form }: AdminKeyForm) => {
      const expiryDate = expiryDateAfter(days, Date.now());
      const order: AdminKeyOrder = { ...form, keyString: nonBlank(keyString), expiryDate };
      return makeKeys(order, submission.headersFor(order));
    },
    done: ({ keys }) => `Generated ${keys.length} admin key(s) successfully`,
    failed: (_, { count }) => (count === 1 ? "Failed to generate key" : "Failed to generate keys"),
    onSuccess: () => {
      submission.succeed();
      void refresh(adminKeyList, statsQuery);
    },
  });
}
