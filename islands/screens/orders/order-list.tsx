import { Eye, ListOrdered } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { Order, OrderListQuery } from "../../../src/orders/schema.ts";
import { useGameFilter } from "../../api/calls/catalogue.ts";
import type { List } from "../../api/list.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { countText } from "../../format.ts";
import { useUrlState } from "../../state/url-state.ts";
import { TextLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Amount, OnCard } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { actionsColumn, RowLink } from "../../ui/table/row-action.tsx";
import { Ago, Time } from "../../ui/time.tsx";
import { eachKeyText, severalGames } from "./words.ts";

type Values = Required<Pick<OrderListQuery, "search" | "game">>;

const defaults: Values = { search: "", game: "all" };

interface OrderListProps {
  orders: List<Order, OrderListQuery>;
  area: Role;
  search: string;
  /** Where orders come from, said while there are none. */
  hint: string;
  action?: ReactNode;
}

/** Orders, newest first (rules.md: Orders). */
export default function OrderList({ orders, area, search, hint, action }: OrderListProps) {
  const url = useUrlState(defaults, search);
  const list = usePagedRows(orders, url.values);
  const gameChoices = useGameFilter(url.values.game);
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
        narrowed={url.narrowed}
        empty={{ icon: <ListOrdered size={20} />, title: "No orders yet", hint, action }}
        noMatch={{ title: "No orders match", hint: "Try another number, note or game." }}
      />
    </>
  );
}

const openAction = { label: "Open", icon: <Eye size={16} /> };

/** `area` has the pages of the orders. */
function orderColumns(area: Role): DataColumn<Order>[] {
  return [
    {
      id: "order",
      header: "Order",
      skeleton: <Skeleton className="w-28" />,
      cell: ({ id }) => (
        <TextLink href={`/${area}/orders/${id}`} className="row-link font-medium">{`Order ${id}`}</TextLink>
      ),
      note: ({ note }) => note,
    },
    {
      id: "count",
      header: "Keys",
      width: columnWidth(3.4, 5),
      align: "right",
      cell: ({ count }) => (
        <>
          {countText(count)}
          <OnCard> ×</OnCard>
        </>
      ),
    },
    {
      id: "game",
      header: "Game",
      width: columnWidth(5.75, 12.2),
      wraps: true,
      card: "subtitle",
      dot: true,
      cell: ({ game }) => (game === null ? severalGames : <span translate="no">{game}</span>),
    },
    {
      id: "each",
      header: "Each key",
      width: columnWidth(8.4, 15),
      cell: (order) => <span className="figures block whitespace-normal">{eachKeyText(order)}</span>,
    },
    {
      id: "cost",
      header: "Cost",
      width: columnWidth(3.6, 5.6),
      align: "right",
      card: "corner",
      cell: ({ cost }) => <Amount credits={cost} />,
    },
    {
      id: "at",
      header: "Ordered",
      width: columnWidth(5.4, 6.9),
      card: "foot",
      cell: ({ at }) => (
        <>
          <Time value={at} />{" "}
          <span className="text-muted md:block md:text-xs/4">
            <Ago value={at} />
          </span>
        </>
      ),
    },
    actionsColumn(columnWidth(4, 7), [openAction], ({ id }) => (
      // The keyboard reaches the order by its number.
      <RowLink {...openAction} href={`/${area}/orders/${id}`} aria-label={`Open order ${id}`} tabIndex={-1} />
    )),
  ];
}
