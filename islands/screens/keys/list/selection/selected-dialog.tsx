import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiFailure } from "../../../../api/api.ts";
import {
  lookAtSelected,
  noteSelected,
  revokeSelected,
  type Seen,
  type Which,
  type Whose,
} from "../../../../api/calls/key-selection.ts";
import { useWork } from "../../../../api/work.ts";
import { countText, pluralText } from "../../../../format.ts";
import NoteDialog from "../../../../forms/note-dialog.tsx";
import { Confirm } from "../../../../ui/dialog/confirm.tsx";
import type { Openable } from "../../../../ui/dialog/lazy-dialog.tsx";
import { revocableIn, revokedAndNot } from "./selection.ts";

export interface SelectedDialogProps extends Openable {
  act: "revoke" | "note";
  whose: Whose;
  which: Which;
  seen: Seen;
  onDone: () => void;
  onChanged: () => void;
}

export default function SelectedDialog({ act, ...props }: SelectedDialogProps) {
  return act === "revoke" ? <RevokeSelected {...props} /> : <NoteSelected {...props} />;
}

type DialogProps = Omit<SelectedDialogProps, "act">;

/** Says what the keys are, and asks for their number to be typed: the server revokes these keys and no others. */
function RevokeSelected({ whose, which, seen, onDone, onChanged, ...dialog }: DialogProps) {
  const count = revocableIn(seen, whose.area);
  const keys = pluralText(count, "key");
  const kinds = revokedAndNot(seen, whose.area);
  /** How many were revoked before the work failed. */
  const [broken, setBroken] = useState<number | null>(null);
  const { mutateAsync, isPending } = useWork({
    mutationFn: () => revokeSelected(whose, which, { mark: seen.mark, count }),
    done: ({ revokedCount, passedOver: { revoked, expired } }) => {
      const passed = [
        expired > 0 && `${countText(expired)} expired`,
        revoked > 0 && `${countText(revoked)} revoked before`,
      ];
      const others = passed.filter((part) => part).join(", ");
      return `Revoked ${pluralText(revokedCount, "key")} successfully${others && `. Passed over: ${others}`}`;
    },
    failed: "Failed to revoke keys",
    onSuccess: onDone,
    onError: async () => {
      onChanged();
      const now = await lookAtSelected(whose, which).catch(() => null);
      setBroken(now && count - now.toRevoke);
    },
  });
  const left = useProgress(isPending, count, () => lookAtSelected(whose, which))?.toRevoke;
  const progress = left === undefined ? null : Math.max(0, count - left);
  return (
    <Confirm
      {...dialog}
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
          {progress !== null && (
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

/** The selection has changed: nothing is left to ask, and the toast has said so. */
function closeWhenChanged(error: unknown): void {
  if (!(error instanceof ApiFailure && error.code === "COUNT_CHANGED")) throw error;
}

/** Replaces the notes of all selected keys by one. */
function NoteSelected({ whose, which, seen, onDone, onChanged: _, ...dialog }: DialogProps) {
  const { mark, selected, toNote: noted } = seen;
  const [saving, setSaving] = useState<{ note?: string | null } | null>(null);
  const left = useProgress(saving !== null, selected, () =>
    lookAtSelected(whose, { ...which, note: saving?.note }),
  )?.toNote;
  const replaced = noted > 0 ? `; it replaces the ${noted === 1 ? "note" : "notes"} on ${countText(noted)}` : "";
  return (
    <NoteDialog
      {...dialog}
      about={`${pluralText(selected, "key")}${replaced}`}
      note={null}
      save={async ({ note }) => {
        setSaving({ note });
        await noteSelected(whose.area, which, { mark, count: selected, note }).finally(() => setSaving(null));
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

const lookEveryMs = 1_000;
/** Fewer are done before the first look returns. */
const watchedKeysMin = 2_000;

/** The figures of a large selection while work on it runs; undefined until the first look returns. */
function useProgress(working: boolean, total: number, look: () => Promise<Seen>): Seen | undefined {
  const { data } = useQuery({
    queryKey: ["progress of a selection"],
    queryFn: look,
    enabled: working && total >= watchedKeysMin,
    refetchInterval: lookEveryMs,
    staleTime: 0,
    gcTime: 0,
  });
  return working ? data : undefined;
}
