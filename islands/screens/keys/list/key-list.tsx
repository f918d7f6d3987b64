import { type ReactNode, useMemo, useState } from "react";
import type { KeyListQuery } from "../../../../src/keys/schema.ts";
import type { List } from "../../../api/list.ts";
import { type PagedRows, usePagedRows } from "../../../api/paged-rows.ts";
import { refresh } from "../../../api/query.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { useUrlState } from "../../../state/url-state.ts";
import { lazyDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import type { DataColumn } from "../../../ui/table/column.ts";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Key } from "./columns.tsx";
import { KeyFilters, keyFilterChoices, keyFilterDefaults, keyQueryOf } from "./filters.tsx";
import type { RevocationProps } from "./revocation.tsx";
import { useSelecting } from "./selecting.ts";

const loadRevocation = () => import("./revocation.tsx");
const Revocation = lazyDialog(loadRevocation);

const idOf = ({ id }: Key) => id;

type Revoke = (key: Key) => void;

interface KeyListProps extends Pick<RevocationProps, "whose" | "changed"> {
  keys: List<Key, KeyListQuery & { count?: "true" }>;
  counted?: boolean;
  search: string;
  label: string;
  /** The same function in every render, so that the columns stay the same. */
  columnsWith: (onRevoke: Revoke) => DataColumn<Key>[];
  failureText?: (error: Error) => string;
  empty: ReactNode;
  noMatch: ReactNode;
  footer?: (list: PagedRows<Key>) => ReactNode;
  /** The dialogs of the screen that depend on the list. */
  children?: (rows: readonly Key[], onRevoke: Revoke) => ReactNode;
}

/** Filters, table, selection and Revoke dialog of a list of keys. */
export function KeyList(props: KeyListProps) {
  const { whose, changed, keys, counted, search, columnsWith, failureText } = props;
  const url = useUrlState(keyFilterDefaults, search, keyFilterChoices);
  const { values, change, narrowed } = url;
  const query = { ...keyQueryOf(values), count: counted ? ("true" as const) : undefined };
  const list = usePagedRows(keys, query, { failureText });
  /** The dialog still shows its key while it closes. */
  const [revocation, setRevocation] = useState<{ open: boolean; revoked: Key } | null>(null);
  const { rowBox, SelectionBar, begin } = useSelecting();
  const revoke = (revoked: Key) => setRevocation({ open: true, revoked });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `revoke` does the same in every render, and columns have to be stable.
  const columns = useMemo(() => columnsWith(revoke), [columnsWith]);
  usePreload(loadRevocation);

  return (
    <>
      <KeyFilters {...url} onSelect={begin} />
      <DataTable
        {...list}
        selectable
        lead={rowBox}
        label={props.label}
        columns={columns}
        rowId={idOf}
        narrowed={narrowed}
        sort={{ id: values.sort, descending: values.descending === "true" }}
        onSortChange={({ id, descending }) => change({ sort: id, descending: String(descending) })}
        empty={props.empty}
        noMatch={props.noMatch}
        footer={props.footer?.(list)}
      />
      {SelectionBar && (
        <SelectionBar {...list} filters={values} whose={whose} onChanged={() => void refresh(keys, ...changed)} />
      )}
      {props.children?.(list.rows, revoke)}
      {revocation && (
        <Revocation
          {...revocation}
          whose={whose}
          onOpenChange={(open) => setRevocation({ ...revocation, open })}
          list={keys}
          changed={changed}
        />
      )}
    </>
  );
}
