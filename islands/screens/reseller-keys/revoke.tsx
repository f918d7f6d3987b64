import { useMutation } from "@tanstack/react-query";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deleteJson } from "../../api.ts";
import { putRow } from "../../paged-rows.ts";
import { refresh } from "../../query.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { sayFailure } from "../../ui/failure-toast.ts";
import { showToast } from "../../ui/toast-store.ts";

interface RevokeProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: AdminKey;
  /** The list that the key stands in. */
  listPath: string;
}

export default function Revoke({ open, onOpenChange, revoked, listPath }: RevokeProps) {
  const { mutateAsync } = useMutation({
    mutationFn: () => deleteJson<{ key: AdminKey }>(`/api/admin/keys/${revoked.id}`),
    onSuccess: (answer) => {
      if (answer) putRow(listPath, answer.key);
      showToast({ title: "Key Revoked", description: "The key has been successfully revoked" });
    },
    onError: (error) => sayFailure(error, "Failed to revoke key"),
    // Also after a refusal: somebody else may have revoked it meanwhile.
    onSettled: () => void refresh(listPath, "/api/admin/resellers", "/api/admin/stats"),
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Revoke License Key"
      text={
        <>
          Are you sure you want to revoke this key? This action cannot be undone. Users will no longer be able to use
          this license key after revocation.
          <span className="key-text mt-3 block break-all text-text">{revoked.keyString}</span>
        </>
      }
      confirmLabel="Revoke Key"
      busyLabel="Revoking..."
      destructive
      onConfirm={() => mutateAsync()}
    />
  );
}
