import {
  type CSSProperties,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Load, useLazy } from "../../runtime/lazy.ts";
import { isReturning } from "../../runtime/place.ts";
import { EmptyState, type EmptyStateProps } from "../empty-state.tsx";
import { ErrorState } from "../error-state.tsx";
import { KeptFocus } from "../focus.ts";
import { type DataColumn, gutterWidth, type ListRow, rowKey, stacks, tableRoles, tracksOf } from "./column.ts";
import { DataHeader, type SortProps } from "./header.tsx";
import { ListEnd, type ListEndProps } from "./list-end.tsx";
import { DataRow, type Lead, SkeletonRows } from "./rows.tsx";
import type { VirtualRowsProps } from "./virtual-rows.tsx";

/** Rows are virtual from this number on; below it the browser is faster without. */
export const plainRowsMax = 200;
const deskRowPixels = 52;
/**
 * Rows that arrive sooner are not dimmed: it would flicker, and repainting would delay the press that asked for them.
 */
const dimAfterMs = 100;

/** Its 10 kB are loaded when a list has grown that long, not with the page. */
const loadVirtualRows = () => import("./virtual-rows.tsx");

export interface DataTableProps<Row extends ListRow> extends ListEndProps, SortProps {
  /** The name of the table, for screen readers. */
  label: string;
  /** Both must be stable between renders: columns at module scope or in a memo, rows as the query holds them. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  /** `error` is shown only while there are no rows; a list that cannot be refreshed keeps its rows. */
  state: "loading" | "error" | "ready";
  errorMessage?: string;
  onRetry?: () => void;
  /** Filters are set, so no rows means that nothing matches. */
  narrowed?: boolean;
  empty: EmptyStateProps;
  noMatch?: EmptyStateProps;
  /** Shown below the rows: 'Showing X of Y total admin keys'. */
  footer?: ReactNode;
  skeletonRows?: number;
  /** Rows can be selected: they keep space for the checkbox, which `lead` adds once the user is active. */
  selectable?: boolean;
  lead?: Lead<Row> | null;
  /** What can be done with the selected rows: read and reached before the table, and shown below it with `order-1`. */
  bar?: ReactNode;
}

/** A list: a table from 768 px on, cards below, made of the same elements. */
export function DataTable<Row extends ListRow>(props: DataTableProps<Row>) {
  const { label, columns, state, refreshing = false, sort, onSortChange, footer } = props;
  const rows = useWindowFirst(props.rows);
  const whole = rows === props.rows;
  const virtual = rows.length > plainRowsMax;
  const notice = noticeFor(props);

  return (
    <div className="@container/list flex flex-col">
      <KeptFocus />
      {props.bar}
      {/* Clipping creates no scroll container, so the headings stick to the window. */}
      <div className="overflow-clip rounded-lg border border-line bg-card">
        {notice ?? (
          <table
            {...tableRoles.table}
            aria-label={label}
            aria-busy={state === "loading" || refreshing || !whole}
            aria-rowcount={virtual ? rowCountOf(props) : undefined}
            data-stacks={stacks(columns) || undefined}
            data-selectable={props.selectable || undefined}
            style={
              { "--tracks": tracksOf(columns), "--gutter": props.selectable ? gutterWidth : undefined } as CSSProperties
            }
            className="w-full text-left max-md:block md:table-fixed list-stacks:block"
          >
            <DataHeader columns={columns} sort={sort} onSortChange={onSortChange} />
            {state === "loading" && rows.length === 0 ? (
              <SkeletonRows columns={columns} count={props.skeletonRows ?? 8} />
            ) : (
              <Rows {...props} rows={rows} refreshing={refreshing} virtual={virtual} />
            )}
          </table>
        )}
        {whole && <ListEnd {...props} rowCount={rows.length} className="border-t border-line p-3" />}
        {whole && footer && <div className="figures border-t border-line px-4 py-3 text-sm text-muted">{footer}</div>}
      </div>
    </div>
  );
}

/**
 * The first rows fill the window in one frame; the others follow when the browser is idle. One that is returned to needs
 * all of them to scroll.
 */
function useWindowFirst<Row>(rows: readonly Row[]): readonly Row[] {
  const [whole, setWhole] = useState(isReturning);
  const come = rows.length > 0;
  useEffect(() => {
    if (come) startTransition(() => setWhole(true));
  }, [come]);
  const inWindow = come && !whole ? Math.ceil(window.innerHeight / deskRowPixels) : rows.length;
  return inWindow < rows.length ? rows.slice(0, inWindow) : rows;
}

function Rows<Row extends ListRow>(props: DataTableProps<Row> & { refreshing: boolean; virtual: boolean }) {
  const { columns, rows, refreshing, virtual } = props;
  const lead = props.lead ?? undefined;
  const dimmed = useDimmed(refreshing);
  // A separate stacking context is not repainted for changes around it, such as a hovered heading. The tip of the first
  // row has to leave it, to show above the headings.
  const look = `not-tipped:isolate max-md:block list-stacks:block transition-opacity ${dimmed ? "opacity-60" : ""}`;
  const body = useRef<HTMLTableSectionElement>(null);
  const [rowPixels, setRowPixels] = useState(deskRowPixels);
  useLayoutEffect(() => {
    if (virtual && body.current?.offsetHeight) setRowPixels(body.current.offsetHeight / rows.length);
  }, [virtual, rows.length]);
  const plain = (
    <tbody ref={body} {...tableRoles.rowGroup} className={look}>
      {rows.map((row) => (
        <DataRow key={rowKey(row)} row={row} columns={columns} lead={lead} />
      ))}
    </tbody>
  );
  // If its script fails to load, the list is slower but complete; the next rows try again.
  const { Part: VirtualRows } = useLazy(loadVirtualRows as Load<VirtualRowsProps<Row>>, virtual && rows.length);
  if (!virtual || !VirtualRows) return plain;
  return <VirtualRows columns={columns} rows={rows} lead={lead} rowPixels={rowPixels} className={look} />;
}

/** Includes the headings, which are row 1; -1 means that the total is unknown. */
function rowCountOf<Row extends ListRow>({ rows, hasMore, moreFailed }: DataTableProps<Row>): number {
  return hasMore || moreFailed ? -1 : rows.length + 1;
}

/** True once the list has been refreshing for a while. */
function useDimmed(refreshing: boolean): boolean {
  const [dimmed, setDimmed] = useState(false);
  useEffect(() => {
    if (!refreshing) return;
    const timer = setTimeout(() => setDimmed(true), dimAfterMs);
    return () => {
      clearTimeout(timer);
      setDimmed(false);
    };
  }, [refreshing]);
  return dimmed;
}

/** Replaces the table: an error, an empty list, or no match. While loading there are skeleton rows instead. */
function noticeFor<Row extends ListRow>(props: DataTableProps<Row>): ReactNode {
  const { rows, state, errorMessage, onRetry, refreshing, narrowed, empty, noMatch } = props;
  if (rows.length > 0 || state === "loading") return null;
  if (state === "error") {
    return (
      <ErrorState
        message={errorMessage ?? "The list could not be loaded."}
        onRetry={() => onRetry?.()}
        retrying={refreshing}
      />
    );
  }
  return <NoRows {...((narrowed && noMatch) || empty)} refreshing={refreshing === true} />;
}

/** Dimmed, as rows are, while it still belongs to the previous filters. */
function NoRows({ refreshing, ...state }: EmptyStateProps & { refreshing: boolean }) {
  const dimmed = useDimmed(refreshing);
  return (
    <div role="status" className={dimmed ? "opacity-60" : ""}>
      <EmptyState {...state} />
    </div>
  );
}
