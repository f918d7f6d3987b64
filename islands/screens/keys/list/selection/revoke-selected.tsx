import { useState } from "react";
import { ApiFailure } from "../../../../api/api.ts";
import type { Seen, SelectionCalls, Which } from "../../../../api/calls/key-selection.ts";
import { sayFailure } from "../../../../api/failure-toast.ts";
import { useWork } from "../../../../api/work.ts";
import { countText, pluralText } from "../../../../format.ts";
import { Confirm } from "../../../../ui/dialog/confirm.tsx";
import { showToast } from "../../../../ui/toast/store.ts";
import { useProgress } from "./progress.ts";
import { revocableIn, revokedAndNot } from "./seen.ts";

interface RevokeSelectedProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  which: Which;
  seen: Seen;
  calls: SelectionCalls;
  onDone: () => void;
  onChanged: () => void;
}

/** Says how many of what they are, and asks for the number to be typed: the server revokes these keys and no others. */
export default function RevokeSelected(props: RevokeSelectedProps) {
  const { open, onOpenChange, which, seen, calls, onDone, onChanged } = props;
  const count = revocableIn(seen, calls);
  const keys = pluralText(count, "key");
  const kinds = revokedAndNot(seen, calls);
  /** How many were revoked when it broke off. */
  const [broken, setBroken] = useState<number | null>(null);
  const { mutateAsync, isPending } = useWork({
    mutationFn: () => calls.revoke(which, { mark: seen.mark, count }),
    onSuccess: ({ revokedCount, passedOver: { revoked, expired } }) => {
      const passed = [
        expired > 0 && `${countText(expired)} expired`,
        revoked > 0 && `${countText(revoked)} revoked before`,
      ];
      const others = passed.filter((part) => part).join(", ");
      const description = `Revoked ${pluralText(revokedCount, "key")} successfully${others && `. Passed over: ${others}`}`;
      showToast({ title: "Success", description });
      onDone();
    },
    onError: async (error) => {
      sayFailure(error, "Failed to revoke keys");
      onChanged();
      const now = await calls.look(which).catch(() => null);
      setBroken(now && count - now.toRevoke);
    },
  });
  const progress = useProgress({
    working: isPending,
    total: count,
    look: () => calls.look(which),
    leftIn: leftToRevoke,
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Revoke Selected Keys"
      text={
        <>
          <strong className="font-medium text-text">{keys}</strong> will be revoked: {kinds.revoked}. Nobody can use a
          key once it is revoked, and this cannot be undone.
          {kinds.not && <span className="mt-2 block">Selected too, and left as they are: {kinds.not}.</span>}
          {broken !== null && broken > 0 && (
            <span role="alert" className="mt-3 block text-text">
              It broke off: {countText(broken)} of {keys} {broken === 1 ? "is" : "are"} revoked, the others are as they
              were. Press again to go on.
            </span>
          )}
          {isPending && progress !== null && (
            <progress aria-label="Revoked" max={count} value={progress} className="mt-3 block w-full" />
          )}
        </>
      }
      confirmLabel={`Revoke ${keys}`}
      busyLabel={progress === null ? "Revoking..." : `Revoking... ${countText(progress)} of ${countText(count)}`}
      typedWord={String(count)}
      onConfirm={() => mutateAsync().catch(closeWhenChanged)}
    />
  );
}

const leftToRevoke = ({ toRevoke }: Seen) => toRevoke;

/** What was seen is not so any more: there is nothing to ask, and the toast has said so. */
function closeWhenChanged(error: unknown): void {
  if (!(error instanceof ApiFailure && error.code === "COUNT_CHANGED")) throw error;
}
