import { useId, useState } from "react";
import { useController, useForm } from "react-hook-form";
import { CreditGrant, type Reseller } from "../../../src/resellers/schema.ts";
import { numberOrNothing, schemaResolver } from "../../form.ts";
import { creditsText } from "../../format.ts";
import { ApiFailure } from "../../server/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { NumberField } from "../../ui/field/field.tsx";
import { useCreditGrant } from "./changes.ts";
import { ResellerField } from "./reseller-field.tsx";

interface AddCreditProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Whose row it was opened from; `null` leaves the choice to the form. */
  reseller: Reseller | null;
}

export default function AddCredit({ open, onOpenChange, reseller }: AddCreditProps) {
  const formId = useId();
  const grant = useCreditGrant();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add Credit"
      description="The credits can be spent at once."
      width="narrow"
      busy={grant.isPending}
      footer={
        <>
          <Button disabled={grant.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={grant.isPending} busyText="Adding...">
            Add Credit
          </Button>
        </>
      }
    >
      {/* Its own component, so that what was typed is forgotten when the dialog closes, and only then. */}
      <CreditForm
        id={formId}
        reseller={reseller}
        send={(values) => grant.mutateAsync(values)}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

interface CreditFormProps {
  id: string;
  reseller: Reseller | null;
  send: (values: CreditGrant) => Promise<unknown>;
  onDone: () => void;
}

function CreditForm({ id, reseller, send, onDone }: CreditFormProps) {
  const [chosen, setChosen] = useState(reseller);
  const { control, register, handleSubmit, setError, watch, formState } = useForm<CreditGrant>({
    resolver: schemaResolver(CreditGrant),
    defaultValues: { resellerId: reseller?.id },
  });
  const { field } = useController({ control, name: "resellerId" });
  const { errors } = formState;

  async function submit(values: CreditGrant) {
    try {
      await send(values);
      onDone();
    } catch (error) {
      const problems = error instanceof ApiFailure ? error.errors : [];
      for (const { path, message } of problems) setError(path as keyof CreditGrant, { message });
    }
  }

  return (
    <form id={id} noValidate onSubmit={handleSubmit(submit)} className="grid gap-4">
      <ResellerField
        ref={field.ref}
        chosen={chosen}
        onChoose={(next) => {
          setChosen(next);
          field.onChange(next?.id);
        }}
        onBlur={field.onBlur}
        message={errors.resellerId?.message}
      />
      <NumberField
        {...register("amount", { setValueAs: numberOrNothing })}
        label="Amount"
        min={1}
        step={1}
        autoComplete="off"
        data-autofocus={reseller !== null || undefined}
        message={errors.amount?.message}
        hint={balanceAfter(chosen, watch("amount"))}
      />
    </form>
  );
}

function balanceAfter(chosen: Reseller | null, amount: number | undefined): string {
  if (!chosen || !amount || !Number.isInteger(amount) || amount < 1) return "A whole number of credits, at least 1.";
  return `New balance: ${creditsText(chosen.credits + amount)} credits`;
}
