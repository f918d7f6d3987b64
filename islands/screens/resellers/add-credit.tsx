import { useState } from "react";
import { noteCharactersMax } from "../../../src/core/field.ts";
import { CreditGrant, type Reseller } from "../../../src/resellers/schema.ts";
import { creditsText, creditsWithUnit } from "../../format.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Form } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField, TextField } from "../../ui/field/field.tsx";
import { useCreditGrant } from "./changes.ts";
import { FormResellerField } from "./reseller-field.tsx";

interface AddCreditProps extends Openable {
  /** The row it was opened from; with `null` the form has the choice. */
  reseller: Reseller | null;
}

export function AddCredit({ reseller, ...dialog }: AddCreditProps) {
  const grant = useCreditGrant();
  return (
    <FormDialog
      {...dialog}
      title="Add Credit"
      description="The reseller can spend them right away."
      width="narrow"
      work={grant}
      submit="Add Credit"
      busyText="Adding..."
      form={{ schema: CreditGrant, initial: { resellerId: reseller?.id } }}
    >
      {(form) => <CreditFields form={form} reseller={reseller} />}
    </FormDialog>
  );
}

function CreditFields({ form, reseller }: { form: Form<typeof CreditGrant>; reseller: Reseller | null }) {
  const [chosen, setChosen] = useState(reseller);
  return (
    <>
      <FormResellerField form={form} chosen={chosen} onChoose={setChosen} />
      <NumberField
        {...form.field("amount")}
        label="Amount"
        min={1}
        step={1}
        data-autofocus={reseller !== null || undefined}
        hint={effectOf(form.values.amount, chosen)}
      />
      <TextField
        {...form.field("note")}
        label="Note (optional)"
        placeholder="How it was paid, or what it's for"
        maxLength={noteCharactersMax}
        hint="The reseller can see it."
      />
    </>
  );
}

/** What the press will do, in words. */
function effectOf(amount = 0, chosen: Reseller | null): string {
  if (!Number.isInteger(amount) || amount < 1) return "A whole number of credits, at least 1.";
  const adds = `Adds ${creditsWithUnit(amount)}`;
  return chosen ? `${adds}, new balance ${creditsText(chosen.credits + amount)}` : adds;
}
