import type { StreamQuery } from "../db/contract.ts";
import { wholeList } from "../db/paging.ts";
import { listOrders, type OrderFilter, type OrderRow } from "./store.ts";
import { adminOrderView, orderView } from "./views.ts";

/** A whole list of orders, from `after` on. */
interface WholeOrders {
  filter: OrderFilter;
  after: [number, number] | null;
}

export const ordersStream = streamOf("orders as their reseller sees them", orderView);
export const adminOrdersStream = streamOf("orders as admins see them", adminOrderView);

function streamOf(name: string, view: (row: OrderRow) => unknown): StreamQuery<WholeOrders> {
  return {
    name,
    pieces: (sql, { filter, after }) =>
      wholeList({
        after,
        rowsOf: (page) => listOrders(sql, filter, page),
        afterOf: (last) => [last.at, last.id] as [number, number],
        view,
      }),
  };
}
