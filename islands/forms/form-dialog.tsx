import type { Static, TObject } from "@sinclair/typebox";
import { type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, type DialogProps } from "../ui/dialog/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { type Form, type FormOptions, useForm } from "./use-form.ts";
import type { Values } from "./values.ts";

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

interface FormDialogProps<Schema extends TObject, Result>
  extends Omit<DialogProps, "busy" | "children" | "footer" | "stays">,
    Omit<FormButtonsProps, "busy" | "onCancel" | "submit"> {
  /** The label of the submit button, which may depend on the values of the form. */
  submit: string | ((values: Values<Schema>) => string);
  /** Runs with the values of the form. */
  work: { isPending: boolean; mutateAsync: (values: Static<Schema>) => Promise<Result> };
  /** Null while what the fields offer is loaded. */
  form: Omit<FormOptions<Schema>, "send"> | null;
  /** Called when the work has succeeded, instead of closing the dialog. */
  onSent?: (result: Result) => void;
  onCancel?: () => void;
  /** The fields. */
  children: (form: Form<Schema>) => ReactNode;
}

/** A form in a dialog: Cancel closes it, the other button sends it. */
export function FormDialog<Schema extends TObject, Result>(props: FormDialogProps<Schema, Result>) {
  const { work, form, submit, busyText, variant, onSent, children, ...dialog } = props;
  const id = useId();
  const [values, setValues] = useState<Values<Schema>>({});
  const close = () => dialog.onOpenChange(false);
  const { onCancel = close } = dialog;
  const send = async (values: Static<Schema>) => {
    const result = await work.mutateAsync(values);
    if (onSent) onSent(result);
    else close();
  };
  return (
    <Dialog
      {...dialog}
      busy={work.isPending}
      footer={
        <FormButtons
          formId={id}
          busy={work.isPending}
          submit={typeof submit === "string" ? submit : submit(values)}
          busyText={busyText}
          variant={variant}
          onCancel={onCancel}
        />
      }
    >
      {form ? (
        <DialogForm {...form} id={id} send={send} onValues={setValues}>
          {children}
        </DialogForm>
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}

interface DialogFormProps<Schema extends TObject> extends FormOptions<Schema> {
  id: string;
  onValues?: (values: Values<Schema>) => void;
  children: (form: Form<Schema>) => ReactNode;
}

/** The form with this id. What was typed is dropped when the dialog closes, and only then. */
export function DialogForm<Schema extends TObject>({ id, onValues, children, ...options }: DialogFormProps<Schema>) {
  const form = useForm(options);
  const { values } = form;
  useEffect(() => onValues?.(values), [onValues, values]);
  return (
    <form {...form.props} id={id} className="grid gap-4">
      {children(form)}
    </form>
  );
}
