import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { closeAfter } from "../../../../api/api.ts";
import {
  countSelected,
  noteSelected,
  revokeSelected,
  type SelectionCounts,
} from "../../../../api/calls/key-selection.ts";
import { useWork } from "../../../../api/query.ts";
import { countText, pluralText } from "../../../../format.ts";
import NoteDialog from "../../../../forms/note-dialog.tsx";
import { Confirm } from "../../../../ui/dialog/confirm.tsx";
import { givenBackText, OfflineNote, Refund } from "../revocation-notes.tsx";
import ExtendSelected from "./extend-selected.tsx";
import { revocableIn, revokedAndNot, type SelectedProps } from "./selection.ts";

export interface SelectedDialogProps extends SelectedProps {
  action: "revoke" | "extend" | "note";
}

export default function SelectedDialog({ action, ...props }: SelectedDialogProps) {
  if (action === "extend") return <ExtendSelected {...props} />;
  return action === "revoke" ? <RevokeSelected {...props} /> : <NoteSelected {...props} />;
}

/** Says which keys are meant, and has their number typed: the server revokes these keys and no others. */
function RevokeSelected({ scope, selector, counts, onDone, onChanged, ...dialog }: SelectedProps) {
  const count = revocableIn(counts, scope.area);
  const keys = pluralText(count, "key");
  const kinds = revokedAndNot(counts, scope.area);
  /** How many were revoked before the work failed. */
  const [broken, setBroken] = useState<number | null>(null);
  const { mutateAsync, isPending } = useWork({
    mutationFn: () => revokeSelected(scope, selector, { mark: counts.mark, count }),
    done: ({ revokedCount, passedOver: { revoked, expired }, refund }) => {
      const passed = [
        expired > 0 && `${countText(expired)} expired`,
        revoked > 0 && `${countText(revoked)} already revoked`,
      ];
      const others = passed.filter((part) => part).join(", ");
      const sentences = [
        `Revoked ${pluralText(revokedCount, "key")} successfully`,
        givenBackText(refund),
        others && `Skipped: ${others}`,
      ];
      return sentences.filter(Boolean).join(". ");
    },
    failed: "Failed to revoke keys",
    onSuccess: onDone,
    onError: async () => {
      onChanged();
      const now = await countSelected(scope, selector).catch(() => null);
      setBroken(now && count - now.toRevoke);
    },
  });
  const left = useProgress(isPending, count, () => countSelected(scope, selector))?.toRevoke;
  const progress = left === undefined ? null : Math.max(0, count - left);
  return (
    <Confirm
      {...dialog}
      title="Revoke Selected Keys"
      text={
        <>
          <strong className="font-medium text-text">{keys}</strong> will be revoked: {kinds.revoked}. They stop working
          at once. This cannot be undone.
          <OfflineNote game={selector.game} />
          <Refund of={counts} />
          {kinds.not && <span className="mt-2 block">Also selected, but left unchanged: {kinds.not}.</span>}
          {broken !== null && broken > 0 && (
            <span role="alert" className="mt-3 block text-text">
              Interrupted: {countText(broken)} of {keys} {broken === 1 ? "is" : "are"} revoked. Press again to continue.
            </span>
          )}
          {progress !== null && (
            <progress aria-label="Revoked" max={count} value={progress} className="mt-3 block w-full" />
          )}
        </>
      }
      confirmLabel={`Revoke ${keys}`}
      busyLabel={progress === null ? "Revoking..." : `Revoking... ${countText(progress)} of ${countText(count)}`}
      typedWord={String(count)}
      onConfirm={() => mutateAsync().catch(closeAfter("COUNT_CHANGED"))}
    />
  );
}

/** Replaces the notes of all selected keys by one. */
function NoteSelected({ scope, selector, counts, onDone, onChanged: _, ...dialog }: SelectedProps) {
  const { mark, selected, toNote: noted } = counts;
  const [saving, setSaving] = useState<{ note?: string | null } | null>(null);
  const left = useProgress(saving !== null, selected, () =>
    countSelected(scope, { ...selector, note: saving?.note }),
  )?.toNote;
  const replaced = noted > 0 ? `, replacing the ${noted === 1 ? "note" : "notes"} on ${countText(noted)}` : "";
  return (
    <NoteDialog
      {...dialog}
      about={`${pluralText(selected, "key")}${replaced}`}
      note={null}
      save={async ({ note }) => {
        setSaving({ note });
        await noteSelected(scope.area, selector, { mark, count: selected, note }).finally(() => setSaving(null));
      }}
      onSaved={onDone}
      progress={
        left === undefined
          ? undefined
          : `Saving... ${countText(Math.max(0, selected - left))} of ${countText(selected)}`
      }
    />
  );
}

const countEveryMs = 1_000;
/** Smaller selections are done before the first count returns. */
const watchedKeysMin = 2_000;

/** The counts of a large selection while work on it runs; undefined until the first count returns. */
function useProgress(
  working: boolean,
  total: number,
  countNow: () => Promise<SelectionCounts>,
): SelectionCounts | undefined {
  const { data } = useQuery({
    queryKey: ["progress of a selection"],
    queryFn: countNow,
    enabled: working && total >= watchedKeysMin,
    refetchInterval: countEveryMs,
    staleTime: 0,
    gcTime: 0,
  });
  return working ? data : undefined;
}
