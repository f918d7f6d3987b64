import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { DataColumn, Sort } from "./data-column.ts";
import { tableRoles } from "./table-roles.ts";

export interface SortProps {
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
}

/**
 * The headings stay in view under the frame's header; where the table scrolls sideways it is its own scroll container, and they stay
 * at its top. Cards have labels instead, and a sort select in the filter bar.
 */
export function DataHeader<Row>({ columns, ...sorting }: SortProps & { columns: readonly DataColumn<Row>[] }) {
  return (
    <thead {...tableRoles.rowGroup} className="sticky top-(--sticky-top) z-10 bg-card max-md:hidden @max-5xl:top-0">
      <tr {...tableRoles.row} className="shadow-[inset_0_-1px_0_var(--color-line)]">
        {columns.map((column) => (
          <Heading key={column.id} column={column} {...sorting} />
        ))}
      </tr>
    </thead>
  );
}

function Heading<Row>({ column, sort, onSortChange }: SortProps & { column: DataColumn<Row> }) {
  const sorted = sort?.id === column.id ? (sort.descending ? "descending" : "ascending") : "none";
  const right = column.align === "right";
  return (
    <th
      {...tableRoles.heading}
      scope="col"
      style={{ width: column.width }}
      aria-sort={column.sortable ? sorted : undefined}
      className={clsx(
        "h-10 px-1.5 text-xs font-medium text-muted first:pl-4 last:pr-4 @5xl:px-4",
        right && "text-right",
      )}
    >
      {column.sortable ? (
        <button
          type="button"
          onClick={() => onSortChange?.(sortAfterPress(column, sorted))}
          className={clsx(
            "-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 transition-colors duration-150 hover:text-text",
            right ? "flex-row-reverse" : "text-left",
            sorted !== "none" && "text-text",
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

type Sorted = "none" | "ascending" | "descending";

function sortAfterPress<Row>({ id, descendingFirst = false }: DataColumn<Row>, sorted: Sorted): Sort {
  return { id, descending: sorted === "none" ? descendingFirst : sorted === "ascending" };
}

function SortIcon({ sorted }: { sorted: Sorted }) {
  if (sorted === "ascending") return <ArrowUp aria-hidden size={14} className="text-brass" />;
  if (sorted === "descending") return <ArrowDown aria-hidden size={14} className="text-brass" />;
  return <ChevronsUpDown aria-hidden size={14} className="text-faint" />;
}
