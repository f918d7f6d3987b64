import { type PriceList, PriceListChoice } from "../../../src/catalogue/schema.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { assignPriceList } from "../../api/calls/catalogue.ts";
import { resellerList, resellerQuery } from "../../api/calls/resellers.ts";
import { refresh, useWork } from "../../api/query.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";

interface PriceListDialogProps extends Openable {
  reseller: Reseller;
  lists: readonly PriceList[];
}

export default function PriceListDialog({ reseller, lists, ...dialog }: PriceListDialogProps) {
  const work = useWork({
    mutationFn: ({ priceListId }: PriceListChoice) => assignPriceList(reseller.id, priceListId),
    done: ({ message }) => message,
    failed: "Failed to change price list",
    onSuccess: () => refresh(resellerQuery(String(reseller.id)), resellerList),
  });
  return (
    <FormDialog
      {...dialog}
      title="Price List"
      description={`What ${reseller.username} pays from the next order on.`}
      width="narrow"
      work={work}
      submit="Save"
      busyText="Saving..."
      form={{ schema: PriceListChoice, initial: { priceListId: reseller.priceListId } }}
    >
      {({ field }) => (
        <NativeSelectField
          {...field("priceListId")}
          label="Price list"
          choices={lists.map((list) => ({ value: String(list.id), label: list.name }))}
        />
      )}
    </FormDialog>
  );
}
