import { clsx } from "clsx";
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { prefersLessMotion } from "../../runtime/media.ts";
import { Skeleton } from "../skeleton.tsx";
import { Dot } from "./card-text.tsx";
import { cardPlaceOf, cellPaddingOf, type DataColumn, tableRoles } from "./column.ts";

const rowLook = clsx(
  "group/row border-line not-last:border-b has-checked:bg-brass-soft md:h-13 md:not-has-checked:hover:bg-raised",
  // A card on a phone. The empty elements end its first line and the lines of the facts.
  "max-md:relative max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-1 max-md:px-4 max-md:py-2.5 max-[24rem]:px-3",
  "max-md:before:order-1 max-md:before:w-full max-md:after:order-4 max-md:after:w-full",
  // While rows are selected, cards have no actions; the long press that starts the selection must not select text.
  "max-md:has-data-choosing:[&_button,&_td:last-child]:invisible pointer-coarse:in-data-selectable:select-none",
  "list-stacks:grid list-stacks:h-auto list-stacks:min-h-13 list-stacks:grid-cols-(--tracks) list-stacks:content-center list-stacks:items-center list-stacks:py-0.5",
);

const besideStack = "list-stacks:row-span-2 list-stacks:row-start-1";
const factLook =
  "max-md:order-2 max-md:block max-md:min-h-5 max-md:max-w-full max-md:text-sm max-md:text-muted max-[24rem]:text-xs/5 max-[24rem]:tracking-tight";

const cellLook = {
  // Its value and its note are parts of the card.
  title:
    "max-md:contents md:relative md:py-1 list-stacks:py-0 list-stacks:row-start-1 list-stacks:flex list-stacks:min-h-(--hit-small) list-stacks:flex-col list-stacks:justify-center",
  subtitle: `${factLook} list-stacks:col-start-1 list-stacks:row-start-2 list-stacks:-mt-2 list-stacks:overflow-clip list-stacks:pl-[var(--gutter,1rem)]! list-small:pl-[var(--gutter,0.75rem)]! list-stacks:leading-5! list-stacks:text-xs! list-stacks:text-muted list-small:tracking-tight`,
  corner: `${besideStack} max-md:ml-1 max-md:min-h-5.5 max-md:self-start`,
  fact: `${factLook} ${besideStack}`,
  side: `${besideStack} max-md:order-3 max-md:ml-auto max-md:min-h-5.5 max-md:text-sm max-md:text-muted`,
  foot: `${factLook} ${besideStack} max-md:order-5 max-md:mt-1`,
  // Its tips cover the headings too.
  actions: `${besideStack} max-md:order-6 max-md:mt-1 max-md:ml-auto max-md:empty:hidden list-stacks:grid list-stacks:content-center list-stacks:self-stretch md:tipped:z-20`,
} as const;

const noteLook = {
  brief: "line-clamp-2 max-md:line-clamp-1",
  two: "line-clamp-2",
  all: "block",
} as const;

export type Lead<Row> = (props: { row: Row }) => ReactNode;

interface DataRowProps<Row> {
  row: Row;
  columns: readonly DataColumn<Row>[];
  /** Rendered before the first cell: the checkbox of the row. */
  lead?: Lead<Row>;
  /** Of a virtual row: its index in the list, and the ref that measures it. */
  place?: { index: number; measure: (row: HTMLTableRowElement | null) => void };
}

/**
 * A row with the same values is not rendered again: a press on a heading dims the list while other rows load, and
 * rendering hundreds of cells for that would delay a slow phone.
 */
export const DataRow = memo(PlainRow, isSameRow) as typeof PlainRow;

function isSameRow<Row>(before: DataRowProps<Row>, now: DataRowProps<Row>): boolean {
  const samePlace = before.place?.index === now.place?.index && before.place?.measure === now.place?.measure;
  return before.row === now.row && before.columns === now.columns && before.lead === now.lead && samePlace;
}

function PlainRow<Row>({ row, columns, lead: Lead, place }: DataRowProps<Row>) {
  const highlighted = useChangeHighlight(row);
  const measure = place?.measure;
  const ref = useCallback(
    (element: HTMLTableRowElement | null) => {
      highlighted.current = element;
      measure?.(element);
    },
    [highlighted, measure],
  );
  return (
    // For aria-rowindex the heading is row 1.
    <tr
      {...tableRoles.row}
      ref={ref}
      data-index={place?.index}
      aria-rowindex={place && place.index + 2}
      className={rowLook}
    >
      {columns.map((column, index) => (
        <DataCell
          key={column.id}
          columns={columns}
          column={column}
          index={index}
          lead={index === 0 && Lead && <Lead row={row} />}
          note={column.note?.(row)}
        >
          {column.cell(row)}
          {column.dot && <Dot />}
        </DataCell>
      ))}
    </tr>
  );
}

/** Rows with placeholders, so that nothing moves when the values arrive. */
export function SkeletonRows<Row>({ columns, count }: { columns: readonly DataColumn<Row>[]; count: number }) {
  return (
    <tbody {...tableRoles.rowGroup} className="max-md:block list-stacks:block">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
        <tr key={row} {...tableRoles.row} className={rowLook}>
          {columns.map((column, index) => (
            <DataCell key={column.id} columns={columns} column={column} index={index}>
              <span className={clsx("block", column.align === "right" && "md:*:justify-end")}>
                {column.skeleton ?? <SkeletonValue place={cardPlaceOf(column, index)} wide={(row + index) % 3 === 0} />}
              </span>
            </DataCell>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** As high as the value: actions are buttons, everything else is one line. */
function SkeletonValue({ place, wide }: { place: ReturnType<typeof cardPlaceOf>; wide: boolean }) {
  if (place === "actions") {
    return (
      <span className="flex min-h-(--hit-small) items-center">
        <Skeleton className="w-16" />
      </span>
    );
  }
  if (place === "title") return <Skeleton className={wide ? "w-44" : "w-36"} />;
  return <Skeleton className={wide ? "w-16" : "w-12"} />;
}

interface DataCellProps<Row> extends Pick<DataRowProps<Row>, "columns"> {
  column: DataColumn<Row>;
  index: number;
  lead?: ReactNode;
  note?: string | null;
  children: ReactNode;
}

function DataCell<Row>({ columns, column, index, lead, note, children }: DataCellProps<Row>) {
  const place = cardPlaceOf(column, index);
  return (
    <td
      {...tableRoles.cell}
      className={clsx(
        cellPaddingOf(columns, index),
        "max-md:px-0! list-narrow:text-sm list-small:text-xs",
        column.align === "right" && "figures md:text-right",
        column.wraps ? "list-narrow:text-xs list-stacks:whitespace-nowrap" : "whitespace-nowrap",
        cellLook[place],
      )}
    >
      {lead}
      {place === "title" ? (
        <div className="max-md:min-w-0 max-md:flex-1 max-md:font-medium">{children}</div>
      ) : (
        <>
          {place !== "actions" && <span className="sr-only md:hidden">{column.header}</span>}
          {children}
        </>
      )}
      {note && (
        <span
          title={note}
          className={`text-xs whitespace-normal text-muted wrap-anywhere max-md:order-4 max-md:w-full list-stacks:mb-2 ${noteLook[column.noteLines ?? "two"]}`}
        >
          {note}
        </span>
      )}
    </td>
  );
}

/** Long enough to be noticed in a long list; nothing waits for it. */
const highlightMs = 1_400;

/** Highlights a row briefly when its values have changed. */
function useChangeHighlight(row: unknown): RefObject<HTMLTableRowElement | null> {
  const element = useRef<HTMLTableRowElement>(null);
  // A refetched list has new objects with mostly equal values.
  const shows = JSON.stringify(row);
  const shown = useRef(shows);
  useEffect(() => {
    if (shown.current === shows) return;
    shown.current = shows;
    if (prefersLessMotion()) return;
    element.current?.animate?.([{ backgroundColor: "var(--color-brass-soft)" }, {}], { duration: highlightMs });
  }, [shows]);
  return element;
}
