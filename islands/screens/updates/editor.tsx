import { useId } from "react";
import type { Update } from "../../../src/updates/schema.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useSave } from "./save.ts";
import { UpdateForm } from "./update-form.tsx";

interface EditorProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** `null` creates one. */
  update: Update | null;
}

/** A dialog, and on small screens a drawer from the bottom (section 2). */
export default function Editor({ open, onOpenChange, update }: EditorProps) {
  const formId = useId();
  const save = useSave(update);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={update ? "Edit Update" : "Create Update"}
      description={update ? undefined : "Apps show it as soon as it is active."}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
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
      {/* Its own component, so that what was typed is forgotten when the dialog closes, and only then. */}
      <UpdateForm
        id={formId}
        update={update}
        save={(form) => save.mutateAsync(form)}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}
