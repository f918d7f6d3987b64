import type { Reseller } from "../../../src/resellers/schema.ts";
import { endSessionsOf } from "../../api/calls/resellers.ts";
import { useWork } from "../../api/work.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

export default function EndSessions({ reseller: { id, username }, ...dialog }: Openable & { reseller: Reseller }) {
  const { mutateAsync } = useWork({
    mutationFn: () => endSessionsOf(id),
    done: ({ message }) => message,
    failed: "Failed to end the sessions",
  });
  return (
    <Confirm
      {...dialog}
      title="End Sessions"
      text={
        <>
          <strong className="font-medium text-text">{username}</strong> will be signed out everywhere at once, and can
          sign in again with the password of before.
        </>
      }
      confirmLabel="End Sessions"
      busyLabel="Ending..."
      onConfirm={mutateAsync}
    />
  );
}
