import { problemsInTokenOrder, TokenOrder } from "../../../src/tokens/schema.ts";
import { type DialogForm, FormDialog } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField } from "../../ui/field/field.tsx";
import { useIssue } from "./issue.ts";

export default function IssueToken(dialog: Openable) {
  return (
    <FormDialog
      {...dialog}
      title="Generate New Token"
      description="It opens one reseller account, and is copied as soon as it is made."
      width="narrow"
      work={useIssue()}
      submit="Generate Token"
      busyText="Generating..."
    >
      {(form) => <TokenForm {...form} />}
    </FormDialog>
  );
}

function TokenForm({ id, send }: DialogForm<TokenOrder>) {
  const form = useForm({ schema: TokenOrder, rule: problemsInTokenOrder, send });
  return (
    <form {...form.props} id={id}>
      <NumberField
        {...form.field("credits")}
        label="Credits (optional)"
        min={0}
        step={0.5}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        hint="What the new account starts with. Leave empty for none."
      />
    </form>
  );
}
