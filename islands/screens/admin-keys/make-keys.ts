import { nonBlank } from "../../../src/field.ts";
import { type AdminKeyForm, expiryDateAfter } from "../../../src/orders/admin-key-form.ts";
import type { AdminKeyOrder } from "../../../src/orders/schema.ts";
import { useSubmission } from "../../key-order/submission.ts";
import { adminKeyList, makeKeys } from "../../server/admin-keys.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { statsQuery } from "../../server/overview.ts";
import { refresh } from "../../server/query.ts";
import { useWork } from "../../server/work.ts";
import { showToast } from "../../ui/toast/store.ts";

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
