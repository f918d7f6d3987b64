import { Ticket, TicketPlus } from "lucide-react";
import { useMemo } from "react";
import type { TokenListQuery } from "../../src/tokens/schema.ts";
import { tokenList } from "../api/calls/resellers.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { usePreload } from "../runtime/preload.ts";
import { useHashCommand } from "../state/hash-command.ts";
import { type UrlChoices, useUrlState } from "../state/url-state.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import type { Choice } from "../ui/field/native-select.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { FilterBar } from "../ui/table/filter-bar.tsx";
import { columnsWith } from "./tokens/columns.tsx";
import type { TokenDialogProps } from "./tokens/dialogs.tsx";

const TokenDialog = lazyDialog(() => import("./tokens/dialogs.tsx"));

type Filters = Required<Pick<TokenListQuery, "search" | "status">>;

const defaults: Filters = { search: "", status: "all" };
const statuses: Choice<Filters["status"]>[] = [
  { value: "all", label: "All Statuses" },
  { value: "available", label: "Available" },
  { value: "used", label: "Used" },
];
/** The valid values in the address. */
const choices: UrlChoices<Filters> = { status: statuses.map(({ value }) => value) };

/** /admin/tokens (rules.md: Referral tokens). `search` is the query string of the request. */
export default function Tokens({ search }: { search: string }) {
  const url = useUrlState(defaults, search, choices);
  const list = usePagedRows(tokenList, url.values);
  const { dialog, show } = useDialog<Pick<TokenDialogProps, "action" | "token">>();
  usePreload(TokenDialog.load);
  const issue = () => show({ action: "issue", token: null });
  useHashCommand("new", issue);
  const columns = useMemo(() => columnsWith((action, token) => show({ action, token })), [show]);
  const generate = { icon: <TicketPlus size={16} />, onClick: issue };

  return (
    <>
      <PageHeading
        title="Referral Tokens"
        description="A token lets one person register as a reseller, with or without bonus credits."
        actions={
          <Button {...generate} variant="primary">
            Generate New Token
          </Button>
        }
      />
      <FilterBar
        {...url}
        search={{ label: "Search tokens", placeholder: "Token, label or username" }}
        filters={[{ name: "status", label: "Status", choices: statuses }]}
      />
      <DataTable
        {...list}
        label="Referral tokens"
        columns={columns}
        narrowed={url.narrowed}
        empty={{
          icon: <Ticket size={20} />,
          title: "No tokens found",
          hint: "Generate one and give it to a new reseller.",
          action: <Button {...generate}>Generate New Token</Button>,
        }}
        noMatch={{ title: "No tokens found", hint: "Try another search or status." }}
      />
      {dialog && <TokenDialog {...dialog} onIssued={(token) => show({ action: "invitation", token })} />}
    </>
  );
}
