import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { KeyListQuery } from "../../../../src/keys/schema.ts";
import { useGameFilter } from "../../../api/calls/catalogue.ts";
import type { KeyScope } from "../../../api/calls/key-selection.ts";
import { type AnyKeyList, queriesOfKey } from "../../../api/calls/keys.ts";
import { type PagedRows, usePagedRows } from "../../../api/paged-rows.ts";
import { refresh } from "../../../api/query.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { useRights } from "../../../runtime/rights.ts";
import { type UrlChoices, useUrlState } from "../../../state/url-state.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyDialog, useDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import type { EmptyStateProps } from "../../../ui/empty-state.tsx";
import type { Choice } from "../../../ui/field/native-select.tsx";
import { loadMenu } from "../../../ui/menu-button.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { FilterBar, type ListOrder } from "../../../ui/table/filter-bar.tsx";
import { type Key, type KeyAction, type KeyColumnOptions, keyColumns, type OpenKey } from "./columns.tsx";
import { useSelecting } from "./selection/use-selecting.tsx";
import { keyStatuses } from "./status-badge.tsx";

const KeyDialog = lazyDialog(() => import("./key-dialog.tsx"));
const loadParts = () => Promise.all([KeyDialog.load(), loadMenu()]);

interface KeyListProps {
  scope: KeyScope;
  keys: AnyKeyList;
  /** What a change of a key changes, too. */
  changed: Parameters<typeof refresh>;
  counted?: boolean;
  search: string;
  label: string;
  /** Both must be the same in every render, so that the columns stay the same. */
  columns: KeyColumnOptions;
  onView?: (key: Key) => void;
  failureText?: (error: Error) => string;
  empty: EmptyStateProps;
  footer?: (list: PagedRows<Key>) => ReactNode;
  /** The dialogs of the screen that depend on the list. */
  children?: (rows: readonly Key[], onRevoke?: (key: Key) => void) => ReactNode;
}

/** Filters, table, selection and Revoke dialog of a list of keys. */
export function KeyList(props: KeyListProps) {
  const { scope, changed, keys, counted, search, columns: options, onView, failureText } = props;
  const url = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const { values, change, narrowed } = url;
  const query = { ...keyQueryOf(values), count: counted ? ("true" as const) : undefined };
  const list = usePagedRows(keys, query, { failureText });
  const gameChoices = useGameFilter(values.game);
  const { dialog, show } = useDialog<{ action: KeyAction; of: Key }>();
  const { list: selectable, begin } = useSelecting({
    ...{ rows: list.rows, hasMore: list.hasMore, filters: query, scope },
    onChanged: () => void refresh(keys, ...changed),
  });
  const columns = useMemo(() => {
    const open: OpenKey = (action, of) => (action === "view" ? onView?.(of) : show({ action, of }));
    return keyColumns(scope.area, options, open);
  }, [scope.area, options, onView, show]);
  const onChanged = ({ id }: Key) => void refresh(keys, ...queriesOfKey(scope.area, id), ...changed);
  usePreload(loadParts);
  const { may } = useRights();

  return (
    <>
      <FilterBar
        {...url}
        search={{ label: "Search keys" }}
        filters={[
          { name: "game", label: "Game", choices: gameChoices },
          { name: "status", label: "Status", choices: statusChoices },
        ]}
        orders={orders}
        select={{ label: "Select keys", onSelect: begin }}
      />
      {values.order !== "" && <OfOrder order={values.order} onClear={() => change({ order: "" })} />}
      <DataTable
        {...list}
        {...selectable}
        label={props.label}
        columns={onView || may(["keys:order", "keys:manage"]) ? columns : columns.slice(0, -1)}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={props.empty}
        noMatch={{ title: noMatch[scope.area], hint: "Try changing your search filters." }}
        footer={props.footer?.(list)}
      />
      {props.children?.(list.rows, may("keys:manage") ? (of) => show({ action: "revoke", of }) : undefined)}
      {dialog && <KeyDialog {...dialog} scope={scope} onChanged={() => onChanged(dialog.of)} />}
    </>
  );
}

const noMatch = { admin: "No keys found", reseller: "No keys found." };

/** Only an order's page sets this filter, so it is shown where it can be removed. */
function OfOrder({ order, onClear }: { order: string; onClear: () => void }) {
  return (
    <section className="mb-3">
      <Button size="small" icon={<X size={16} />} aria-label={`Order ${order}: show all keys`} onClick={onClear}>
        Order {order}
      </Button>
    </section>
  );
}

type Values = Required<Pick<KeyListQuery, "search" | "game" | "status" | "sort">> & {
  order: string;
  descending: "true" | "false";
};

const keyFilterDefaults: Values = {
  search: "",
  game: "all",
  status: "all",
  order: "",
  sort: "created",
  descending: "true",
};

/** The query for the server. */
function keyQueryOf({ search, game, status, order, sort, descending }: Values): KeyListQuery {
  const orderId = order === "" ? undefined : Number(order);
  return { search, game, status, orderId, sort, order: descending === "true" ? "desc" : "asc" };
}

const statusChoices: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  ...keyStatuses.map((value) => ({ value, label: value })),
];

const orders: ListOrder<Values["sort"]>[] = [
  { sort: "created", descending: "true", label: "Newest first" },
  { sort: "created", descending: "false", label: "Oldest first" },
  { sort: "expiry", descending: "false", label: "Expiry, soonest first" },
  { sort: "expiry", descending: "true", label: "Expiry, latest first" },
  { sort: "devices", descending: "true", label: "Most devices first" },
  { sort: "devices", descending: "false", label: "Fewest devices first" },
  { sort: "key", descending: "false", label: "Key, A to Z" },
  { sort: "key", descending: "true", label: "Key, Z to A" },
];

/** The valid values in the address. */
const keyFilterChoices: UrlChoices<Values> = {
  status: statusChoices.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};
