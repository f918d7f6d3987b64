import { useSetAtom } from "jotai";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { KeyListQuery } from "../../../../src/keys/schema.ts";
import { useGameFilter } from "../../../api/calls/catalogue.ts";
import type { List } from "../../../api/list.ts";
import { type PagedRows, usePagedRows } from "../../../api/paged-rows.ts";
import { refresh } from "../../../api/query.ts";
import { useLazy } from "../../../runtime/lazy.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { choosingAtom } from "../../../state/atoms.ts";
import { type UrlChoices, useUrlState } from "../../../state/url-state.ts";
import { lazyDialog, useDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import type { Choice } from "../../../ui/field/native-select.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { FilterBar, type ListOrder } from "../../../ui/table/filter-bar.tsx";
import { type Key, type KeyActions, type KeyColumnOptions, keyColumns } from "./columns.tsx";
import type { RevocationProps } from "./revocation.tsx";
import type RowBox from "./selection/row-box.tsx";
import { keyStatuses } from "./status-badge.tsx";

const Revocation = lazyDialog(() => import("./revocation.tsx"));

interface KeyListProps extends Pick<RevocationProps, "scope" | "changed"> {
  keys: List<Key, KeyListQuery & { count?: "true" }>;
  counted?: boolean;
  search: string;
  label: string;
  /** Both must be the same in every render, so that the columns stay the same. */
  columns: KeyColumnOptions;
  onView?: KeyActions["onView"];
  failureText?: (error: Error) => string;
  empty: ReactNode;
  noMatch: ReactNode;
  footer?: (list: PagedRows<Key>) => ReactNode;
  /** The dialogs of the screen that depend on the list. */
  children?: (rows: readonly Key[], onRevoke: KeyActions["onRevoke"]) => ReactNode;
}

/** Filters, table, selection and Revoke dialog of a list of keys. */
export function KeyList(props: KeyListProps) {
  const { scope, changed, keys, counted, search, columns: options, onView, failureText } = props;
  const url = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const { values, change, narrowed } = url;
  const query = { ...keyQueryOf(values), count: counted ? ("true" as const) : undefined };
  const list = usePagedRows(keys, query, { failureText });
  const gameChoices = useGameFilter(values.game);
  const { dialog, show } = useDialog<{ revoked: Key }>();
  const { rowBox, SelectionBar, begin } = useSelecting();
  const onRevoke = useCallback((revoked: Key) => show({ revoked }), [show]);
  const columns = useMemo(
    () => keyColumns(scope.area, options, { onRevoke, onView }),
    [scope.area, options, onRevoke, onView],
  );
  usePreload(Revocation.load);

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
      <DataTable
        {...list}
        selectable
        lead={rowBox}
        label={props.label}
        columns={columns}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={props.empty}
        noMatch={props.noMatch}
        footer={props.footer?.(list)}
      />
      {SelectionBar && (
        <SelectionBar {...list} filters={values} scope={scope} onChanged={() => void refresh(keys, ...changed)} />
      )}
      {props.children?.(list.rows, onRevoke)}
      {dialog && <Revocation {...dialog} scope={scope} list={keys} changed={changed} />}
    </>
  );
}

type Values = Required<Pick<KeyListQuery, "search" | "game" | "status" | "sort">> & { descending: "true" | "false" };

const keyFilterDefaults: Values = {
  search: "",
  game: "all",
  status: "all",
  sort: "created",
  descending: "true",
};

/** The query for the server. */
function keyQueryOf({ search, game, status, sort, descending }: Values): KeyListQuery {
  return { search, game, status, sort, order: descending === "true" ? "desc" : "asc" };
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

const loadRowBox = () => import("./selection/row-box.tsx");
const loadBar = () => import("./selection/selection-bar.tsx");

/**
 * The parts that select keys: the checkbox of each row, and the bar below the list while any are selected. They are
 * loaded at the first sign of a user.
 */
function useSelecting() {
  const [userIsActive, setUserIsActive] = useState(false);
  usePreload(useCallback(async () => setUserIsActive(true), []));
  const { Part } = useLazy(loadRowBox, userIsActive);
  const { Part: SelectionBar } = useLazy(loadBar, userIsActive);
  const setChoosing = useSetAtom(choosingAtom);
  return {
    // Not before the bar, which handles the presses: a visible checkbox can be pressed.
    rowBox: SelectionBar && (Part as typeof RowBox | null),
    SelectionBar,
    begin: () => setChoosing(true),
  };
}
