import { endOtherSessions, ownSessionsQuery } from "../../api/calls/account.ts";
import { refresh } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

export default function EndOthers({ count, ...dialog }: Openable & { count: number }) {
  return (
    <Confirmation
      {...dialog}
      title="End All Other Sessions"
      text={`${pluralText(count, "session")} will be signed out. This one stays signed in.`}
      confirmLabel="End All Others"
      busyLabel="Ending..."
      mutationFn={endOtherSessions}
      done={({ message }) => message}
      failed="Failed to end sessions"
      // Awaited, because the button that asked disappears with the last session, and the focus has to move.
      onSettled={() => refresh(ownSessionsQuery)}
    />
  );
}
