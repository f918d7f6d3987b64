import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { priceListsQuery } from "../../api/calls/catalogue.ts";
import { IconButton } from "../../ui/button.tsx";
import { Fact } from "../../ui/card.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";

const PriceListDialog = lazyDialog(() => import("./price-list-dialog.tsx"));

/** The reseller's price list and the way to change it, if there is more than one. */
export function PriceListFact({ reseller }: { reseller: Reseller | undefined }) {
  const { data: lists = [] } = useQuery(priceListsQuery);
  const { dialog, show } = useDialog();
  if (!reseller || lists.length < 2) return null;
  const name = lists.find(({ id }) => id === reseller.priceListId)?.name;
  return (
    <Fact name="Price list">
      <span title={name} className="truncate">
        {name}
      </span>
      <IconButton
        label="Change price list"
        icon={<Pencil size={16} />}
        size="small"
        className="-my-3 ml-1"
        onClick={() => show({})}
      />
      {dialog && <PriceListDialog {...dialog} reseller={reseller} lists={lists} />}
    </Fact>
  );
}
