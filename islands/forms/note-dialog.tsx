import { NoteForm, noteCharactersMax } from "../../src/core/field.ts";
import { useWork } from "../api/query.ts";
import type { Openable } from "../ui/dialog/lazy-dialog.tsx";
import { TextField } from "../ui/field/field.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface NoteDialogProps extends Openable {
  /** What the note is about: "Order 12". */
  about: string;
  note: string | null;
  save: (form: NoteForm) => Promise<unknown>;
  onSaved: () => void;
  /** How far it is, where it is on very many. */
  progress?: string;
}

/** A note on a key or an order, which only its owner writes. An empty one takes it away. */
export default function NoteDialog(props: NoteDialogProps) {
  const { about, note, save, onSaved, progress = "Saving...", ...dialog } = props;
  const work = useWork({
    mutationFn: save,
    done: "Note saved",
    onSuccess: onSaved,
    failed: "Failed to save note",
  });
  return (
    <FormDialog
      {...dialog}
      title="Note"
      description={`On ${about}. You can search for it.`}
      work={work}
      submit="Save Note"
      busyText={progress}
      form={{ schema: NoteForm, initial: { note } }}
    >
      {({ field }) => (
        <TextField
          {...field("note")}
          label="Note"
          placeholder="Who or what it's for"
          maxLength={noteCharactersMax}
          hint={`Up to ${noteCharactersMax} characters. Leave empty for none.`}
        />
      )}
    </FormDialog>
  );
}
