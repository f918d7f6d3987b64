import { type ReactNode, useId } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, type DialogProps } from "../ui/dialog/dialog.tsx";

interface FormButtonsProps {
  busy: boolean;
  /** The label of the submit button, and its text while busy. */
  submit: string;
  busyText: string;
  variant?: "primary" | "danger";
  onCancel: () => void;
}

/** The footer of a dialog whose body is the form with this id. */
export function FormButtons(props: FormButtonsProps & { formId: string }) {
  const { formId, busy, submit, busyText, variant = "primary", onCancel } = props;
  return (
    <>
      <Button disabled={busy} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" form={formId} variant={variant} busy={busy} busyText={busyText}>
        {submit}
      </Button>
    </>
  );
}

interface FormDialogProps
  extends Omit<DialogProps, "busy" | "children" | "footer" | "stays">,
    Partial<Pick<FormButtonsProps, "onCancel">>,
    Omit<FormButtonsProps, "onCancel"> {
  /** A separate component, so that typed text is dropped when the dialog closes, and only then. Its form has this id. */
  children: (formId: string) => ReactNode;
}

/** A form in a dialog: Cancel closes it, the other button sends it. */
export function FormDialog({ submit, busyText, variant, onCancel, children, ...dialog }: FormDialogProps) {
  const formId = useId();
  const { busy, onOpenChange } = dialog;
  const cancel = onCancel ?? (() => onOpenChange(false));
  return (
    <Dialog {...dialog} footer={<FormButtons {...{ formId, busy, submit, busyText, variant }} onCancel={cancel} />}>
      {children(formId)}
    </Dialog>
  );
}
