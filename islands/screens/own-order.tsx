import { useQuery } from "@tanstack/react-query";
import { noteOwnOrder, ownOrderList, ownOrderQuery, revokeOwnUnused } from "../api/calls/orders.ts";
import { ownKeyList } from "../api/calls/own-keys.ts";
import { refresh } from "../api/query.ts";
import { OrderPage } from "./orders/order-page.tsx";

/** /reseller/orders/{id} (rules.md: Orders pages). */
export default function OwnOrder({ id }: { id: string }) {
  const query = ownOrderQuery(id);
  return (
    <OrderPage
      id={id}
      area="reseller"
      opening={useQuery(query)}
      back={{ href: "/reseller/orders", label: "Orders" }}
      note={(form) => noteOwnOrder(id, form)}
      revokeUnused={(count) => revokeOwnUnused(id, count)}
      onChanged={() => void refresh(query, ownOrderList, ownKeyList)}
    />
  );
}
