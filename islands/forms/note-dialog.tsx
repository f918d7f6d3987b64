import { NoteForm, noteCharactersMax } from "../../src/core/field.ts";
import { useWork } from "../api/work.ts";
import type { Openable } from "../ui/dialog/lazy-dialog.tsx";
import { TextField } from "../ui/field/field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { useForm } from "./use-form.ts";

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
  const { mutateAsync, isPending } = useWork({
    mutationFn: save,
    done: "Note saved",
    onSuccess: onSaved,
    failed: "Failed to save the note",
  });
  return (
    <FormDialog
      {...dialog}
      title="Note"
      description={`On ${about}. Search finds it.`}
      busy={isPending}
      submit="Save Note"
      busyText={progress}
    >
      {(formId) => <Fields id={formId} note={note} save={mutateAsync} onDone={() => dialog.onOpenChange(false)} />}
    </FormDialog>
  );
}

interface FieldsProps {
  id: string;
  note: string | null;
  save: (form: NoteForm) => Promise<unknown>;
  onDone: () => void;
}

function Fields({ id, note, save, onDone }: FieldsProps) {
  const form = useForm({
    schema: NoteForm,
    initial: { note },
    send: async (filledIn) => {
      await save(filledIn);
      onDone();
    },
  });
  return (
    <form {...form.props} id={id}>
      <TextField
        {...form.field("note")}
        label="Note"
        placeholder="For whom, or what for"
        maxLength={noteCharactersMax}
        autoComplete="off"
        hint={`At most ${noteCharactersMax} characters; empty for none.`}
      />
    </form>
  );
}
