import { useMutation } from "@tanstack/react-query";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deleteJson } from "../../api.ts";
import { putRow } from "../../paged-rows.ts";
import { refresh } from "../../query.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { sayFailure } from "../../ui/failure-toast.ts";
import { showToast } from "../../ui/toast-store.ts";
import { detailsPath } from "./details-path.ts";
import { managePath } from "./manage-page.ts";

interface RevocationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: AdminKey;
}

export default function Revocation({ open, onOpenChange, revoked }: RevocationProps) {
  const { mutateAsync } = useMutation({
    mutationFn: () => deleteJson<{ key: AdminKey }>(`/api/admin/keys/${revoked.id}`),
    onSuccess: (answer) => {
      if (answer) putRow(managePath, answer.key);
      showToast({ title: "Success", description: "Key revoked successfully" });
    },
    onError: (error) => sayFailure(error, "Failed to revoke key"),
    // After a refusal too: somebody else may have revoked it meanwhile.
    onSettled: () => void refresh(managePath, detailsPath(revoked.id), "/api/admin/stats"),
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Revoke Admin Key"
      text={
        <>
          <span className="block">
            Are you sure you want to revoke this key? It stops working at once, on every device. This action cannot be
            undone.
          </span>
          <span className="key-text mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {revoked.keyString}
          </span>
        </>
      }
      confirmLabel="Revoke Key"
      busyLabel="Revoking..."
      destructive
      onConfirm={() => mutateAsync()}
    />
  );
}
