import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { cellPaddingOf, type DataColumn, type Sort } from "./data-column.ts";
import { tableRoles } from "./table-roles.ts";

export interface SortProps {
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
}

/**
 * The headings stay in view under the frame's header; where the list scrolls sideways it is its own scroll container, and they stay
 * at its top. Cards have labels instead, and a sort select in the filter bar.
 */
export function DataHeader<Row>({ columns, ...sorting }: SortProps & { columns: readonly DataColumn<Row>[] }) {
  return (
    <thead
      {...tableRoles.rowGroup}
      className="sticky top-(--sticky-top) z-10 bg-card max-md:hidden list-stacks:block list-scrolls:top-0"
    >
      <tr
        {...tableRoles.row}
        className="shadow-[inset_0_-1px_0_var(--color-line)] list-stacks:grid list-stacks:min-h-10 list-stacks:items-center list-stacks:grid-cols-(--tracks)"
      >
        {columns.map((column, index) => (
          <Heading key={column.id} columns={columns} index={index} column={column} {...sorting} />
        ))}
      </tr>
    </thead>
  );
}

function Heading<Row>(
  props: SortProps & { columns: readonly DataColumn<Row>[]; index: number; column: DataColumn<Row> },
) {
  const { columns, index, column, sort, onSortChange } = props;
  const sorted = sort?.id === column.id ? (sort.descending ? "descending" : "ascending") : "none";
  const right = column.align === "right";
  return (
    <th
      {...tableRoles.heading}
      scope="col"
      style={{ width: column.width }}
      aria-sort={column.sortable ? sorted : undefined}
      className={clsx(
        "h-10 text-xs font-medium text-muted list-stacks:h-auto",
        cellPaddingOf(columns, index),
        column.card === "subtitle" && "list-stacks:sr-only",
        right && "text-right",
      )}
    >
      {column.sortable ? (
        <button
          type="button"
          onClick={() => onSortChange?.(sortAfterPress(column, sorted))}
          className={clsx(
            "-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-sm px-1.5 list-small:-mx-1 list-small:px-1 transition-colors duration-150 hover:text-text",
            right ? "flex-row-reverse text-right" : "text-left",
            sorted !== "none" && "text-text",
          )}
        >
          {column.header}
          {/* A box of its own, so that another icon in it does not lay out the whole table again. */}
          <span className="size-3.5 shrink-0 contain-strict">
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
