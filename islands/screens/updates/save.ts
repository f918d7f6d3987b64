import type { Update, UpdateForm } from "../../../src/updates/schema.ts";
import { postJson, putJson } from "../../server/api.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { putRow } from "../../server/paged-rows.ts";
import { refresh } from "../../server/query.ts";
import { useWork } from "../../server/work.ts";
import { showToast } from "../../ui/toast/store.ts";
import { updatesPath } from "./updates-path.ts";

/** Changes the update, or creates one where there is none. */
export function useSave(update: Update | null) {
  return useWork({
    mutationFn: (form: UpdateForm) =>
      update ? putJson<Update>(`${updatesPath}/${update.id}`, form) : postJson<Update>(updatesPath, form),
    onSuccess: (saved) => {
      putRow(updatesPath, saved);
      const description = update ? "Update saved successfully!" : "Update created successfully!";
      showToast({ title: "Success", description });
    },
    onError: (error) => sayFailure(error, update ? "Failed to update" : "Failed to create update"),
    // After a refusal too: somebody else may have deleted it meanwhile.
    onSettled: () => void refresh(updatesPath, "/api/admin/stats"),
  });
}
