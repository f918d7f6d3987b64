import type { Update } from "../../../src/updates/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { deleteUpdate, updateList } from "../../api/calls/updates.ts";
import { refresh } from "../../api/query.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

export default function Deletion({ update, ...dialog }: Openable & { update: Update }) {
  return (
    <Confirmation
      {...dialog}
      title="Delete Update"
      text={
        <>
          <span className="block wrap-anywhere text-text">Are you sure you want to delete "{update.title}"?</span>
          <span className="mt-2 block">Apps stop showing it at once. This cannot be undone.</span>
        </>
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      mutationFn={() => deleteUpdate(update.id)}
      done="Update deleted successfully!"
      failed="Failed to delete update"
      // Awaited, so that the card is gone when the dialog is; after a refusal too, as another admin may have deleted it.
      onSettled={() => refresh(updateList, statsQuery)}
    />
  );
}
