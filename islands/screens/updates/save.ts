import type { Update, UpdateForm } from "../../../src/updates/schema.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { statsQuery } from "../../server/overview.ts";
import { putRow } from "../../server/paged-rows.ts";
import { refresh } from "../../server/query.ts";
import { changeUpdate, createUpdate, updateList } from "../../server/updates.ts";
import { useWork } from "../../server/work.ts";
import { showToast } from "../../ui/toast/store.ts";

/** Changes the update, or creates one where there is none. */
export function useSave(update: Update | null) {
  return useWork({
    mutationFn: (form: UpdateForm) => (update ? changeUpdate(update.id, form) : createUpdate(form)),
    onSuccess: (saved) => {
      putRow(updateList, saved);
      const description = update ? "Update saved successfully!" : "Update created successfully!";
      showToast({ title: "Success", description });
    },
    onError: (error) => sayFailure(error, update ? "Failed to update" : "Failed to create update"),
    // After a refusal too: somebody else may have deleted it meanwhile.
    onSettled: () => void refresh(updateList, statsQuery),
  });
}
