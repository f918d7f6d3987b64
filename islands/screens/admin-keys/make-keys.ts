import { AdminKeyForm, expiryDateAfter } from "../../../src/keys/admin-key-form.ts";
import type { AdminKey, AdminKeyOrder } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { problemsIn } from "../../form.ts";
import { fieldProblemsOf, useSubmission } from "../../key-order/submission.ts";
import { adminKeyList, makeKeys } from "../../server/admin-keys.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { statsQuery } from "../../server/overview.ts";
import { refresh } from "../../server/query.ts";
import { useWork } from "../../server/work.ts";
import { showToast } from "../../ui/toast/store.ts";

interface Outcome {
  onMade: (keys: AdminKey[]) => void;
  /** Told what is wrong with which field; with nothing, where the refusal names none. */
  onRefused: (problems: readonly FieldProblem[]) => void;
}

/** Makes admin keys. What was typed stays in the form when it fails. */
export function useMake({ onMade, onRefused }: Outcome) {
  const submission = useSubmission();
  const making = useWork({
    mutationFn: ({ days, ...form }: AdminKeyForm) => {
      const order: AdminKeyOrder = { ...form, expiryDate: expiryDateAfter(days, Date.now()) };
      return makeKeys(order, submission.headersFor(order));
    },
    onSuccess: ({ keys }) => {
      submission.succeed();
      showToast({ title: "Success", description: `Generated ${keys.length} admin key(s) successfully` });
      onMade(keys);
      void refresh(adminKeyList, statsQuery);
    },
    onError: (error, { count }) => {
      sayFailure(error, count === 1 ? "Failed to generate key" : "Failed to generate keys");
      onRefused(fieldProblemsOf(error).map(byField));
    },
  });
  return { make: (form: AdminKeyForm) => making.mutate(form), busy: making.isPending };
}

export function problemsInOrder(form: AdminKeyForm): FieldProblem[] {
  return problemsIn(AdminKeyForm, form);
}

/** The form asks for days where the call takes a date. */
function byField({ path, message }: FieldProblem): FieldProblem {
  return { path: path === "expiryDate" ? "days" : path, message };
}
