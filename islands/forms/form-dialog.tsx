import { type ReactNode, useId } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, type DialogProps } from "../ui/dialog/dialog.tsx";

interface FormDialogProps extends Pick<DialogProps, "open" | "onOpenChange" | "title" | "description" | "width"> {
  busy: boolean;
  /** The label of the submit button, and its text while busy. */
  submit: string;
  busyText: string;
  variant?: "primary" | "danger";
  /**
   * A separate component, so that typed text is dropped when the dialog closes, and only then. Its form has this id.
   */
  children: (formId: string) => ReactNode;
}

/** A form in a dialog: Cancel closes it, the other button sends it. */
export function FormDialog({ busy, submit, busyText, variant = "primary", children, ...dialog }: FormDialogProps) {
  const formId = useId();
  return (
    <Dialog
      {...dialog}
      busy={busy}
      footer={
        <>
          <Button disabled={busy} onClick={() => dialog.onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant={variant} busy={busy} busyText={busyText}>
            {submit}
          </Button>
        </>
      }
    >
      {children(formId)}
    </Dialog>
  );
}
