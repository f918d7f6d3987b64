import { useId, useRef } from "react";
import type { Update } from "../../../src/updates/schema.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useSave } from "./save.ts";
import { type Draft, UpdateForm } from "./update-form.tsx";

interface EditorProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** `null` creates one. */
  update: Update | null;
}

/** A dialog, and on small screens a drawer from the bottom (rules.md: Online Updates page). */
export default function Editor({ open, onOpenChange, update }: EditorProps) {
  const formId = useId();
  const save = useSave(update);
  const { draft, keep, settle } = useDraft();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      busy={save.isPending}
      title={update ? "Edit Update" : "Create Update"}
      description={update ? undefined : "Apps show it as soon as it is active."}
      footer={
        <>
          <Button
            disabled={save.isPending}
            onClick={() => {
              settle();
              onOpenChange(false);
            }}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={save.isPending}
            busyText={update ? "Saving..." : "Creating..."}
          >
            {update ? "Save Changes" : "Create Update"}
          </Button>
        </>
      }
    >
      <UpdateForm
        id={formId}
        update={update}
        draft={draft.current}
        onLeave={keep}
        save={(form) => save.mutateAsync(form)}
        onDone={() => {
          settle();
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

/** A press beside the dialog must not cost anybody a long message: unless it was saved or cancelled, it is there again. */
function useDraft() {
  const draft = useRef<Draft | null>(null);
  const settled = useRef(false);
  return {
    draft,
    keep(typed: Draft | null) {
      draft.current = settled.current ? null : typed;
      settled.current = false;
    },
    settle() {
      settled.current = true;
    },
  };
}
