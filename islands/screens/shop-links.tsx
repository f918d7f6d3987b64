import { useQuery } from "@tanstack/react-query";
import { KeyRound, List, Pencil, Power, Store, Trash2 } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import type { Catalogue } from "../../src/catalogue/schema.ts";
import type { ShopLink } from "../../src/shop-links/schema.ts";
import { shopLinkCalls } from "../api/calls/account.ts";
import { catalogueQuery } from "../api/calls/catalogue.ts";
import { refresh, useWork } from "../api/query.ts";
import { lastColumn, ShortList, stateColumn } from "../api/short-list.tsx";
import { creditsWithUnit } from "../format.ts";
import { usePreload } from "../runtime/preload.ts";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { loadMenu, MenuButton } from "../ui/menu-button.tsx";
import { columnWidth, type DataColumn } from "../ui/table/column.ts";
import { actionsColumn, RowAction } from "../ui/table/row-action.tsx";
import { eachKeyText } from "./orders/words.ts";
import type { ShopLinkDialogProps } from "./shop-links/dialogs.tsx";

const ShopLinkDialog = lazyDialog(() => import("./shop-links/dialogs.tsx"));
const loadParts = () => Promise.all([ShopLinkDialog.load(), loadMenu()]);

/** /admin/shop-links and /reseller/shop-links: shops that hand out keys when they are paid (rules.md: Shop links). */
export default function ShopLinks({ area, username }: { area: Role; username: string }) {
  const { dialog, show } = useDialog<Pick<ShopLinkDialogProps, "action" | "link">>();
  const durations = useQuery(catalogueQuery).data?.durations;
  const open: Open = useCallback((action, link) => show({ action, link }), [show]);
  const columns = useMemo(() => columnsWith(area, durations, open), [area, durations, open]);
  usePreload(loadParts);
  return (
    <>
      <ShortList
        area={area}
        title="Shop Links"
        description="Your shop hands out keys by itself as soon as it is paid."
        query={shopLinkCalls(area).query}
        columns={columns}
        rows="shop links"
        empty={{
          icon: <Store size={20} />,
          title: "No shop links yet",
          hint: "Create one for each product that you sell in SellAuth, Sellix or another shop that signs its calls.",
        }}
        add="New Shop Link"
        onAdd={() => open("new", null)}
      />
      {dialog && <ShopLinkDialog key={dialog.nth} {...dialog} area={area} username={username} />}
    </>
  );
}

type Durations = Catalogue["durations"] | undefined;
type Open = (action: ShopLinkDialogProps["action"], link: ShopLink | null) => void;

const salesAction = { label: "Sales", icon: <List size={16} /> };

function columnsWith(area: Role, durations: Durations, open: Open): DataColumn<ShopLink>[] {
  return [
    {
      id: "name",
      header: "Shop Link",
      cell: ({ name }) => <span className="font-medium whitespace-normal wrap-anywhere">{name}</span>,
      note: (link) => soldText(link, durations),
      noteLines: "all",
    },
    lastColumn({ header: "Last Sale" }, "Sold", ({ lastSaleAt }) => lastSaleAt, "No sale yet"),
    stateColumn,
    actionsColumn(columnWidth(6, 10), [salesAction], (link) => <Actions area={area} link={link} open={open} />, {
      withMenu: true,
    }),
  ];
}

function soldText({ game, durationId, creditsPerDay, ...link }: ShopLink, durations: Durations): string {
  const durationHours = durations?.find(({ id }) => id === durationId)?.hours ?? null;
  const texts = [game, eachKeyText({ ...link, undoneAt: null, days: null, durationHours })];
  if (durations && durationHours === null) texts.push("its duration is no longer sold");
  if (creditsPerDay !== null) texts.push(`at most ${creditsWithUnit(creditsPerDay)} a day`);
  return texts.join(" · ");
}

function Actions({ area, link, open }: { area: Role; link: ShopLink; open: Open }) {
  const { id, name, isActive } = link;
  const { query, change } = shopLinkCalls(area);
  const { mutate: onSwitch } = useWork({
    mutationFn: () => change(id, { isActive: !isActive }),
    done: `${name} is switched ${isActive ? "off" : "on"}`,
    failed: `Failed to switch ${isActive ? "off" : "on"} ${name}`,
    onSettled: () => refresh(query),
  });
  const items = [
    { label: "Edit", icon: <Pencil size={16} />, onSelect: () => open("edit", link) },
    { label: isActive ? "Switch Off" : "Switch On", icon: <Power size={16} />, onSelect: () => onSwitch() },
    { label: "New Secret", icon: <KeyRound size={16} />, onSelect: () => open("secret", link) },
    { label: "Delete", icon: <Trash2 size={16} />, danger: true, onSelect: () => open("deletion", link) },
  ];
  return (
    <>
      <RowAction {...salesAction} onClick={() => open("sales", link)} />
      <MenuButton variant="row" className="md:w-6.5!" about={name} items={items} />
    </>
  );
}
