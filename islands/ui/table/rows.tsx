import { clsx } from "clsx";
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { prefersLessMotion } from "../../runtime/media.ts";
import { Skeleton } from "../skeleton.tsx";
import { Dot } from "./card-text.tsx";
import { cardPlaceOf, cellPaddingOf, type DataColumn, tableRoles } from "./column.ts";

/** rows.css has what these classes look like. */
const rowLook = "group/row list-row";
const cellLook = {
  title: "list-title",
  subtitle: "list-fact-text list-subtitle",
  corner: "list-beside list-corner",
  fact: "list-fact-text list-fact list-beside",
  side: "list-beside list-side",
  foot: "list-fact-text list-foot list-beside",
  actions: "list-beside list-actions",
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
          {(typeof column.dot === "function" ? column.dot(row) : column.dot) && <Dot />}
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

/** Actions have their own. */
function SkeletonValue({ place, wide }: { place: ReturnType<typeof cardPlaceOf>; wide: boolean }) {
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
        "list-value",
        column.align === "right" && "figures md:text-right",
        column.wraps ? "list-narrow:text-xs" : "whitespace-nowrap",
        cellLook[place],
      )}
    >
      {lead}
      {place === "title" ? (
        <div className="max-md:min-h-5.5 max-md:min-w-0 max-md:flex-1 max-md:content-center max-md:font-medium">
          {children}
        </div>
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
