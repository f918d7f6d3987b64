import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import type { EmptyStateProps } from "../ui/empty-state.tsx";
import { PageHeading, type PageHeadingProps } from "../ui/page-heading.tsx";
import { OnCard } from "../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Instant } from "../ui/time.tsx";
import { wholeList } from "./query-failure.tsx";

interface ShortListProps<Row extends { id: number }> extends Omit<PageHeadingProps, "actions"> {
  area: Role;
  query: UseQueryOptions<Row[]>;
  columns: DataColumn<Row>[];
  /** What the rows are: "API keys". */
  rows: string;
  empty: EmptyStateProps;
  /** The label of the button that makes one. */
  add: string;
  onAdd: () => void;
}

/** Whether it is switched on. */
export const stateColumn: DataColumn<{ isActive: boolean }> = {
  id: "state",
  header: "Status",
  width: columnWidth(7, 9),
  card: "corner",
  cell: ({ isActive }) => (
    <Badge tone={isActive ? "active" : "revoked"} dot>
      {isActive ? "Active" : "Switched off"}
    </Badge>
  ),
};

/** When a row was last used, as its `word` says on a card. */
export function lastColumn<Row>(
  column: Pick<DataColumn<Row>, "header" | "dot">,
  word: string,
  at: (row: Row) => string | null,
  never: ReactNode,
): DataColumn<Row> {
  const cell = (row: Row) => {
    const value = at(row);
    if (value === null) return <span>{never}</span>;
    return (
      <>
        <OnCard>{word} </OnCard>
        <Instant value={value} />
      </>
    );
  };
  return { ...column, id: "last", width: columnWidth(8.9, 10.8), card: "foot", cell };
}

/** A page with a short list, by default below Account: of what the account has given to others. */
export function ShortList<Row extends { id: number }>(props: ShortListProps<Row>) {
  const { area, columns, query, rows, empty, add, onAdd, ...heading } = props;
  return (
    <>
      <PageHeading
        back={{ href: `/${area}/account`, label: "Account" }}
        {...heading}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} aria-haspopup="dialog" onClick={onAdd}>
            {add}
          </Button>
        }
      />
      <DataTable
        {...wholeList(useQuery(query), `The ${rows} could not be loaded.`)}
        label={rows}
        columns={columns}
        skeletonRows={2}
        empty={empty}
      />
    </>
  );
}
