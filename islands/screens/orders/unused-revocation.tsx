import { useState } from "react";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { givenBackText, OfflineNote } from "../keys/list/revocation-notes.tsx";

interface UnusedRevocationProps extends Openable {
  game: string | undefined;
  count: number;
  revoke: (count: number) => Promise<{ refund: number }>;
  onChanged: () => void;
}

/** Has the number of keys typed. The server revokes exactly that many or none. */
export default function UnusedRevocation({ game, count, revoke, onChanged, ...dialog }: UnusedRevocationProps) {
  // While the dialog closes, none is unused any more.
  const [shown, setShown] = useState(count);
  if (dialog.open && count > 0 && count !== shown) setShown(count);
  const keys = pluralText(shown, "key");
  return (
    <Confirmation
      {...dialog}
      title="Revoke Unused Keys"
      text={
        <>
          <strong className="font-medium text-text">{keys}</strong> of this order {shown === 1 ? "is" : "are"} active
          with no device connected. {shown === 1 ? "It stops" : "They stop"} working at once. This cannot be undone.
          Keys in use are not affected.
          <OfflineNote game={game} />
        </>
      }
      confirmLabel={`Revoke ${keys}`}
      busyLabel="Revoking..."
      typedWord={String(shown)}
      mutationFn={() => revoke(shown)}
      done={({ refund }) => [`Revoked ${keys} successfully`, givenBackText(refund)].filter(Boolean).join(". ")}
      failed="Failed to revoke keys"
      // After a refusal too: a device may have connected meanwhile.
      onSettled={onChanged}
    />
  );
}
