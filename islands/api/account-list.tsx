import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { ComponentProps } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import type { DataColumn } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { wholeList } from "./query-failure.tsx";

interface AccountListProps<Row extends { id: number }> {
  area: Role;
  title: string;
  description: string;
  query: UseQueryOptions<Row[]>;
  columns: DataColumn<Row>[];
  /** What the rows are: "API keys". */
  rows: string;
  empty: ComponentProps<typeof EmptyState>;
  /** The label of the button that makes one. */
  add: string;
  onAdd: () => void;
}

/** A page below Account: a short list of what the account has given to others. */
export function AccountList<Row extends { id: number }>(props: AccountListProps<Row>) {
  const { area, title, description, columns, rows, empty, add, onAdd } = props;
  const query = useQuery(props.query);
  return (
    <>
      <PageHeading
        title={title}
        description={description}
        back={{ href: `/${area}/account`, label: "Account" }}
        actions={
          <Button variant="primary" icon={<Plus size={16} />} aria-haspopup="dialog" onClick={onAdd}>
            {add}
          </Button>
        }
      />
      <DataTable
        {...wholeList(query, `The ${rows} could not be loaded.`)}
        label={rows}
        columns={columns}
        skeletonRows={2}
        empty={<EmptyState {...empty} />}
      />
    </>
  );
}
