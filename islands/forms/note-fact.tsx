import { Pencil } from "lucide-react";
import { useState } from "react";
import type { NoteForm } from "../../src/core/field.ts";
import { IconButton } from "../ui/button.tsx";
import { Fact } from "../ui/card.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";

const NoteDialog = lazyDialog(() => import("./note-dialog.tsx"));

interface NoteFactProps {
  note: string | null;
  /** What the note is about: "Order 12". */
  about: string;
  /** Left out where the note belongs to another user. */
  save?: (form: NoteForm) => Promise<unknown>;
  onSaved: () => void;
}

/** The note on a key or an order, and the way to change it. */
export function NoteFact({ note, about, save, onSaved }: NoteFactProps) {
  const [open, setOpen] = useState(false);
  return (
    <Fact name="Note" wide>
      <span className={note === null ? "text-muted" : undefined}>{note ?? "None"}</span>
      {save && (
        <>
          <IconButton
            label="Change note"
            need="keys:manage"
            icon={<Pencil size={16} />}
            size="small"
            className="-my-2 ml-1"
            onClick={() => setOpen(true)}
          />
          <NoteDialog open={open} onOpenChange={setOpen} about={about} note={note} save={save} onSaved={onSaved} />
        </>
      )}
    </Fact>
  );
}
