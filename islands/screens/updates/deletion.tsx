import type { Update } from "../../../src/updates/schema.ts";
import { deleteJson } from "../../server/api.ts";
import { sayFailure } from "../../server/failure-toast.ts";
import { refresh } from "../../server/query.ts";
import { useWork } from "../../server/work.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { showToast } from "../../ui/toast/store.ts";
import { updatesPath } from "./updates-path.ts";

interface DeletionProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  update: Update;
}

export default function Deletion({ open, onOpenChange, update }: DeletionProps) {
  const { mutateAsync } = useWork({
    mutationFn: () => deleteJson(`${updatesPath}/${update.id}`),
    onSuccess: () => showToast({ title: "Success", description: "Update deleted successfully!" }),
    onError: (error) => sayFailure(error, "Failed to delete update"),
    // Waited for, so that the card is gone when the question is; after a refusal too, as somebody else may have deleted it.
    onSettled: () => refresh(updatesPath, "/api/admin/stats"),
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Delete Update"
      text={
        <>
          <span className="block wrap-anywhere text-text">Are you sure you want to delete "{update.title}"?</span>
          <span className="mt-2 block">Apps stop showing it at once. This cannot be undone.</span>
        </>
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      destructive
      onConfirm={() => mutateAsync()}
    />
  );
}
