import { useQuery } from "@tanstack/react-query";
import type { LedgerEntry } from "../../../src/resellers/ledger-schema.ts";
import { problemsInTakeBack, TakeBack } from "../../../src/resellers/schema.ts";
import { resellerQuery, takeBackGrant } from "../../api/calls/resellers.ts";
import { useWork } from "../../api/query.ts";
import { creditsText, creditsWithUnit } from "../../format.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField } from "../../ui/field/field.tsx";
import { refreshReseller } from "./changes.ts";

interface TakeBackGrantProps extends Openable {
  resellerId: string;
  grant: LedgerEntry;
}

/** Takes back what is left of a grant, or part of it (rules.md: Credits). */
export default function TakeBackGrant({ resellerId, grant, ...dialog }: TakeBackGrantProps) {
  const left = grant.left ?? 0;
  const balance = useQuery({ ...resellerQuery(resellerId), enabled: dialog.open }).data?.credits ?? left;
  const most = Math.min(left, balance);
  const work = useWork({
    mutationFn: (form: TakeBack) => takeBackGrant(resellerId, form),
    done: "Credits taken back",
    failed: "Failed to take back credits",
    // Also after a refusal: the balance may have been spent meanwhile.
    onSettled: () => refreshReseller(resellerId),
  });
  return (
    <FormDialog
      {...dialog}
      title="Take Back"
      description={`Not taken back yet: ${creditsText(left)} of ${creditsWithUnit(grant.amount)}. Balance: ${creditsText(balance)}.`}
      width="narrow"
      work={work}
      submit="Take Back"
      busyText="Taking back..."
      variant="danger"
      form={{
        schema: TakeBack,
        rule: problemsInTakeBack,
        initial: { ledgerId: grant.id, amount: most },
        fieldOf: { NOTHING_LEFT: "amount" },
      }}
    >
      {({ field, values }) => (
        <>
          {/* Not `type="hidden"`, because React resets the value of such an input. */}
          <input name="ledgerId" defaultValue={grant.id} hidden />
          <NumberField
            {...field("amount")}
            label="Amount"
            min={0.1}
            step={0.5}
            inputMode="decimal"
            data-autofocus
            hint={effectOf(values.amount, most, balance)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What the press will do, in words. */
function effectOf(amount = 0, most: number, balance: number): string {
  if (!(amount > 0 && amount <= most)) return `At most ${creditsText(most)}. Keys already bought are not affected.`;
  return `Takes back ${creditsWithUnit(amount)}, new balance ${creditsText(balance - amount)}. Keys already bought are not affected.`;
}
