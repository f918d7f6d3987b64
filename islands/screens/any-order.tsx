import { useQuery } from "@tanstack/react-query";
import type { AdminOrderDetail } from "../../src/orders/schema.ts";
import { adminKeyList } from "../api/calls/admin-keys.ts";
import { noteAdminOrder, orderQuery, revokeUnused } from "../api/calls/orders.ts";
import { refresh } from "../api/query.ts";
import { Fact } from "../ui/fact.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { OrderPage } from "./orders/order-page.tsx";

/** /admin/orders/{id} (rules.md: Orders pages). */
export default function AnyOrder({ id }: { id: string }) {
  const query = orderQuery(id);
  const opening = useQuery(query);
  const order = opening.data;
  return (
    <OrderPage
      id={id}
      area="admin"
      opening={opening}
      back={backFrom(order)}
      facts={
        <>
          <Fact name="By">{order && <By {...order} />}</Fact>
          <Fact name="On record">
            <TextLink href={`/admin/audit?search=order+${id}`}>Who did what to it</TextLink>
          </Fact>
        </>
      }
      // A reseller's order is its reseller's to note.
      note={order?.reseller === null ? (form) => noteAdminOrder(id, form) : undefined}
      revokeUnused={(count) => revokeUnused(id, count)}
      onChanged={() => void refresh(query, adminKeyList)}
    />
  );
}

function backFrom(order: AdminOrderDetail | undefined) {
  return order?.reseller
    ? { href: `/admin/resellers/${order.reseller.id}?tab=orders`, label: `Orders of ${order.reseller.username}` }
    : { href: "/admin/create-keys?tab=manage", label: "Key Management" };
}

function By({ by, reseller }: AdminOrderDetail) {
  return reseller ? <TextLink href={`/admin/resellers/${reseller.id}`}>{by}</TextLink> : by;
}
