import { useState } from "react";
import type { Seen, SelectionCalls, Which } from "../../../../api/calls/key-selection.ts";
import { countText, pluralText } from "../../../../format.ts";
import NoteDialog from "../../../../forms/note-dialog.tsx";
import { useProgress } from "./progress.ts";

interface NoteSelectedProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  which: Which;
  seen: Seen;
  calls: SelectionCalls;
  save: NonNullable<SelectionCalls["note"]>;
  onDone: () => void;
}

/** One note on all of them, in the place of those that they have. */
export default function NoteSelected({ open, onOpenChange, which, seen, calls, save, onDone }: NoteSelectedProps) {
  const { mark, selected, toNote: noted } = seen;
  const [saving, setSaving] = useState<{ note?: string | null } | null>(null);
  const progress = useProgress({
    working: saving !== null,
    total: selected,
    look: () => calls.look({ ...which, note: saving?.note }),
    leftIn: ({ toNote }) => toNote,
  });
  const replaced = noted > 0 ? `; it replaces the ${noted === 1 ? "note" : "notes"} on ${countText(noted)}` : "";
  return (
    <NoteDialog
      open={open}
      onOpenChange={onOpenChange}
      about={`${pluralText(selected, "key")}${replaced}`}
      note={null}
      save={async ({ note }) => {
        setSaving({ note });
        await save(which, { mark, count: selected, note }).finally(() => setSaving(null));
      }}
      onSaved={onDone}
      progress={progress === null ? undefined : `Saving... ${countText(progress)} of ${countText(selected)}`}
    />
  );
}
