import type { Reseller } from "../../../src/resellers/schema.ts";
import { endSessionsOf } from "../../api/calls/resellers.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { useWork } from "../../api/work.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { showToast } from "../../ui/toast/store.ts";

interface EndSessionsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  reseller: Reseller;
}

export default function EndSessions({ open, onOpenChange, reseller: { id, username } }: EndSessionsProps) {
  const { mutateAsync } = useWork({
    mutationFn: () => endSessionsOf(id),
    onSuccess: ({ message }) => showToast({ title: "Success", description: message }),
    onError: (error) => sayFailure(error, "Failed to end the sessions"),
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="End Sessions"
      text={
        <>
          <strong className="font-medium text-text">{username}</strong> will be signed out everywhere at once, and can
          sign in again with the password of before.
        </>
      }
      confirmLabel="End Sessions"
      busyLabel="Ending..."
      onConfirm={() => mutateAsync()}
    />
  );
}
