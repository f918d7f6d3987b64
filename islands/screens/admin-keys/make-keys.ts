import { nonBlank } from "../../../src/core/field.ts";
import { type AdminKeyForm, expiryDateAfter } from "../../../src/orders/admin-key-form.ts";
import type { AdminKeyOrder } from "../../../src/orders/schema.ts";
import { adminKeyList, makeKeys } from "../../api/calls/keys.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { showToast } from "../../ui/toast/store.ts";
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
    onSuccess: ({ keys }) => {
      submission.succeed();
      showToast({ title: "Success", description: `Generated ${keys.length} admin key(s) successfully` });
      void refresh(adminKeyList, statsQuery);
    },
    onError: (error, { count }) => {
      sayFailure(error, count === 1 ? "Failed to generate key" : "Failed to generate keys");
    },
  });
}
