import { useId } from "react";
import { problemsInTokenOrder, TokenOrder } from "../../../src/tokens/schema.ts";
import { useForm } from "../../form/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { NumberField } from "../../ui/field/field.tsx";
import { useIssue } from "./issue.ts";

interface IssueTokenProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export default function IssueToken({ open, onOpenChange }: IssueTokenProps) {
  const formId = useId();
  const issue = useIssue();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Generate New Token"
      description="It opens one reseller account, and is copied as soon as it is made."
      width="narrow"
      busy={issue.isPending}
      footer={
        <>
          <Button disabled={issue.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={issue.isPending} busyText="Generating...">
            Generate Token
          </Button>
        </>
      }
    >
      {/* Its own component, so that what was typed is forgotten when the dialog closes, and only then. */}
      <TokenForm id={formId} issue={(order) => issue.mutateAsync(order)} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface TokenFormProps {
  id: string;
  issue: (order: TokenOrder) => Promise<unknown>;
  onDone: () => void;
}

function TokenForm({ id, issue, onDone }: TokenFormProps) {
  const form = useForm({
    schema: TokenOrder,
    rule: problemsInTokenOrder,
    send: async (order) => {
      await issue(order);
      onDone();
    },
  });
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
