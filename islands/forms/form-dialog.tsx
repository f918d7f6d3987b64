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

/** What the form in a dialog needs: its id, and the function that sends its values. */
export interface DialogForm<Values> {
  id: string;
  send: (values: Values) => Promise<unknown>;
}

interface FormDialogProps<Values>
  extends Omit<DialogProps, "busy" | "children" | "footer" | "stays">,
    Omit<FormButtonsProps, "busy" | "onCancel"> {
  /** Runs with the values of the form; the dialog closes when it succeeds. */
  work: { isPending: boolean; mutateAsync: (values: Values) => Promise<unknown> };
  onCancel?: () => void;
  /** A separate component, so that typed text is dropped when the dialog closes, and only then. */
  children: (form: DialogForm<Values>) => ReactNode;
}

/** A form in a dialog: Cancel closes it, the other button sends it. */
export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const { work, submit, busyText, variant, children, ...dialog } = props;
  const id = useId();
  const close = () => dialog.onOpenChange(false);
  const { onCancel = close } = dialog;
  const send = async (values: Values) => {
    await work.mutateAsync(values);
    close();
  };
  return (
    <Dialog
      {...dialog}
      busy={work.isPending}
      footer={<FormButtons formId={id} busy={work.isPending} {...{ submit, busyText, variant, onCancel }} />}
    >
      {children({ id, send })}
    </Dialog>
  );
}
