import { useSetAtom } from "jotai";
import { CirclePlus, UserPlus } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { ResellerListQuery } from "../../src/resellers/schema.ts";
import { resellerList } from "../api/calls/resellers.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { usePreload } from "../runtime/preload.ts";
import { useRights } from "../runtime/rights.ts";
import { resellersLeftAtAtom } from "../state/atoms.ts";
import { useHashCommand } from "../state/hash-command.ts";
import { searchWith, type UrlChoices, useUrlState } from "../state/url-state.ts";
import { Button, LinkButton, TextLink } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import type { Choice } from "../ui/field/native-select.tsx";
import { loadMenu } from "../ui/menu-button.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { FilterBar, type ListOrder } from "../ui/table/filter-bar.tsx";
import { columnsWith } from "./resellers/columns.tsx";
import type { ResellerDialogProps } from "./resellers/dialogs.tsx";

const loadParts = () => Promise.all([ResellerDialog.load(), loadMenu()]);
const ResellerDialog = lazyDialog(() => import("./resellers/dialogs.tsx"));

/** /admin/resellers (rules.md: Reseller pages). */
export default function Resellers({ search }: { search: string }) {
  const url = useUrlState(filterDefaults, search, filterChoices);
  const { values, change, narrowed } = url;
  const list = usePagedRows(resellerList, queryOf(values));
  const leaveAt = useSetAtom(resellersLeftAtAtom);
  useEffect(() => leaveAt(searchWith("", values, filterDefaults)), [values, leaveAt]);
  const { dialog, show } = useDialog<Pick<ResellerDialogProps, "action" | "about">>();
  usePreload(loadParts);
  const addCredit = () => show({ action: "credit", about: null });
  const { may } = useRights();
  useHashCommand("credit", addCredit, { need: "resellers:manage" });
  const columns = useMemo(() => columnsWith((action, about) => show({ action, about })), [show]);

  return (
    <>
      <PageHeading
        title="Manage Resellers"
        description={
          <>
            Credits, keys and access.{" "}
            {may("everything") && <TextLink href="/admin/catalogue?tab=prices">Edit prices</TextLink>}
          </>
        }
        actions={
          <Button need="resellers:manage" variant="primary" icon={<CirclePlus size={16} />} onClick={addCredit}>
            Add Credit
          </Button>
        }
      />
      <FilterBar
        {...url}
        search={{ label: "Search resellers", placeholder: "Search by username" }}
        filters={[{ name: "status", label: "Status", choices: statuses }]}
        orders={orders}
      />
      <DataTable
        {...list}
        label="Resellers"
        columns={may(["resellers:manage", "keys:read"]) ? columns : columns.slice(0, -1)}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={{
          icon: <UserPlus size={20} />,
          title: "No resellers found",
          hint: "Resellers register with a referral token that you give them.",
          action: <LinkButton href="/admin/tokens">Referral Tokens</LinkButton>,
        }}
        noMatch={{ title: "No resellers found", hint: "Try another search or status." }}
      />
      {dialog && <ResellerDialog key={dialog.nth} {...dialog} />}
    </>
  );
}

type Values = Required<Pick<ResellerListQuery, "search" | "status" | "sort">> & { descending: "true" | "false" };

const filterDefaults: Values = { search: "", status: "all", sort: "registered", descending: "true" };

/** The query for the server. */
function queryOf({ search, status, sort, descending }: Values): ResellerListQuery {
  return { search, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const statuses: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  { value: "active", label: "Active" },
  { value: "suspended", label: "Suspended" },
];

const orders: ListOrder<Values["sort"]>[] = [
  { sort: "registered", descending: "true", label: "Newest first" },
  { sort: "registered", descending: "false", label: "Oldest first" },
  { sort: "username", descending: "false", label: "Username A to Z" },
  { sort: "username", descending: "true", label: "Username Z to A" },
  { sort: "credits", descending: "true", label: "Most credits" },
  { sort: "credits", descending: "false", label: "Fewest credits" },
  { sort: "keys", descending: "true", label: "Most keys" },
  { sort: "keys", descending: "false", label: "Fewest keys" },
];

/** The valid values in the address. */
const filterChoices: UrlChoices<Values> = {
  status: statuses.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};
