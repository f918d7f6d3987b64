import type { RowData } from "@tanstack/react-table";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { DataColumn, ListTable } from "./data-column.ts";
import { tableRoles } from "./table-roles.ts";

type ListHeader<Row extends RowData> = ReturnType<ListTable<Row>["getHeaderGroups"]>[number]["headers"][number];

/**
 * The headings stay in view under the frame's header; where the table scrolls sideways it is its own scroll container, and they stay
 * at its top. Cards have labels instead, and a sort select in the filter bar.
 */
export function DataHeader<Row extends RowData>({
  columns,
  table,
}: {
  columns: readonly DataColumn<Row>[];
  table: Pick<ListTable<Row>, "getHeaderGroups">;
}) {
  return (
    <thead {...tableRoles.rowGroup} className="sticky top-(--sticky-top) z-10 bg-card max-md:hidden @max-5xl:top-0">
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id} {...tableRoles.row} className="shadow-[inset_0_-1px_0_var(--color-line)]">
          {group.headers.map((header, index) => (
            <Heading key={header.id} header={header} column={columns[index] as DataColumn<Row>} />
          ))}
        </tr>
      ))}
    </thead>
  );
}

const sortWords = { asc: "ascending", desc: "descending" } as const;

function Heading<Row extends RowData>({ header, column }: { header: ListHeader<Row>; column: DataColumn<Row> }) {
  const sorted = header.column.getIsSorted();
  const right = column.align === "right";
  return (
    <th
      {...tableRoles.heading}
      scope="col"
      style={{ width: column.width }}
      aria-sort={header.column.getCanSort() ? (sorted ? sortWords[sorted] : "none") : undefined}
      className={clsx(
        "h-10 px-1.5 text-xs font-medium text-muted first:pl-4 last:pr-4 @5xl:px-4",
        right && "text-right",
      )}
    >
      {header.column.getCanSort() ? (
        <button
          type="button"
          onClick={header.column.getToggleSortingHandler()}
          className={clsx(
            "-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 transition-colors duration-150 hover:text-text",
            right ? "flex-row-reverse" : "text-left",
            sorted && "text-text",
          )}
        >
          {column.header}
          {/* A box of its own, so that another icon in it does not lay out the whole table again. */}
          <span className="size-3.5 contain-strict">
            <SortIcon sorted={sorted} />
          </span>
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

function SortIcon({ sorted }: { sorted: false | "asc" | "desc" }) {
  if (sorted === "asc") return <ArrowUp aria-hidden size={14} className="text-brass" />;
  if (sorted === "desc") return <ArrowDown aria-hidden size={14} className="text-brass" />;
  return <ChevronsUpDown aria-hidden size={14} className="text-faint" />;
}
