import type { Update, UpdateForm } from "../../../src/updates/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { changeUpdate, createUpdate, updateList } from "../../api/calls/updates.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { putRow } from "../../api/paged-rows.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
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
