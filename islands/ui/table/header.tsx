import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { cellPaddingOf, type DataColumn, type Sort, tableRoles } from "./column.ts";

export interface SortProps {
  sort?: Sort;
  onSortChange?: (sort: Sort) => void;
}

/**
 * The headings stay in view below the header of the page. Cards have labels instead, and a sort select in the filter
 * bar.
 */
export function DataHeader<Row>({ columns, ...sorting }: SortProps & { columns: readonly DataColumn<Row>[] }) {
  return (
    <thead {...tableRoles.rowGroup} className="sticky top-(--sticky-top) z-10 bg-card max-md:hidden list-stacks:block">
      <tr
        {...tableRoles.row}
        className="[box-shadow:inset_0_-1px_0_var(--color-line)] list-stacks:grid list-stacks:min-h-10 list-stacks:items-center list-stacks:grid-cols-(--tracks)"
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
            "-mx-1.5 min-h-8 rounded-sm px-1.5 list-small:-mx-1 list-small:px-1 transition-colors hover:text-text",
            right ? "text-right" : "text-left",
            sorted !== "none" && "text-text",
          )}
        >
          <SortableText text={column.header} right={right} sorted={sorted} />
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

/** The icon stays with the last word, or in a right-aligned column with the first, wherever the heading wraps. */
function SortableText({ text, right, sorted }: { text: string; right: boolean; sorted: Sorted }) {
  const words = text.split(" ");
  const held = right ? words.shift() : words.pop();
  const rest = words.length > 0 && words.join(" ");
  const withIcon = (
    <span className="whitespace-nowrap">
      {right && <SortIcon sorted={sorted} className="mr-1" />}
      {held}
      {!right && <SortIcon sorted={sorted} className="ml-1" />}
    </span>
  );
  return (
    <>
      {!right && rest && `${rest} `}
      {withIcon}
      {right && rest && ` ${rest}`}
    </>
  );
}

/** In a separate box, so that a changed icon does not lay out the whole table again. */
function SortIcon({ sorted, className }: { sorted: Sorted; className: string }) {
  const Icon = sorted === "ascending" ? ArrowUp : sorted === "descending" ? ArrowDown : ChevronsUpDown;
  return (
    <span className={clsx("inline-block size-3.5 align-text-bottom contain-strict", className)}>
      <Icon size={14} className={sorted === "none" ? "text-faint" : "text-brass"} />
    </span>
  );
}
