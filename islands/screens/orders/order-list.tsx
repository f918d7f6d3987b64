import { type ReactNode, useMemo } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { games } from "../../../src/catalogue/catalogue.ts";
import type { Order, OrderListQuery } from "../../../src/orders/schema.ts";
import type { List } from "../../api/list.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { type UrlChoices, useUrlState } from "../../state/url-state.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { orderColumns } from "./columns.tsx";

type Values = Required<Pick<OrderListQuery, "search" | "game">>;

const defaults: Values = { search: "", game: "all" };
const gameChoices = [
  { value: "all" as const, label: "All Games" },
  ...games.map((game) => ({ value: game, label: game })),
];
const choices: UrlChoices<Values> = { game: gameChoices.map(({ value }) => value) };

const idOf = ({ id }: Order) => id;

interface OrderListProps {
  orders: List<Order, OrderListQuery>;
  area: Role;
  search: string;
  /** There is none yet. */
  empty: ReactNode;
}

/** Orders, newest first (rules.md: Orders). */
export function OrderList({ orders, area, search, empty }: OrderListProps) {
  const url = useUrlState(defaults, search, choices);
  const list = usePagedRows(orders, url.values);
  const columns = useMemo(() => orderColumns(area), [area]);
  return (
    <>
      <FilterBar
        {...url}
        search={{ label: "Search orders", placeholder: "Number or note" }}
        filters={[{ name: "game", label: "Game", choices: gameChoices }]}
      />
      <DataTable
        {...list}
        label="Orders"
        columns={columns}
        rowId={idOf}
        narrowed={url.narrowed}
        empty={empty}
        noMatch={<EmptyState title="No orders match" hint="Try another number, note or game." />}
      />
    </>
  );
}
