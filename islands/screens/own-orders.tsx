import { ListOrdered, SquarePlus } from "lucide-react";
import { ownOrderList } from "../api/calls/orders.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { OrderList } from "./orders/order-list.tsx";

/** /reseller/orders (rules.md: Orders and credits pages). `search` is the query string of the request. */
export default function OwnOrders({ search }: { search: string }) {
  return (
    <>
      <PageHeading
        title="Orders"
        description="What you generated at once stays together here."
        back={{ href: "/reseller/keys", label: "Manage Keys" }}
        actions={
          <LinkButton href="/reseller/generate" variant="primary" icon={<SquarePlus size={16} />}>
            Generate Keys
          </LinkButton>
        }
      />
      <OrderList
        orders={ownOrderList}
        area="reseller"
        search={search}
        empty={
          <EmptyState
            icon={<ListOrdered size={20} />}
            title="No orders yet"
            hint="Each time you generate keys, they are kept here as one order."
            action={<LinkButton href="/reseller/generate">Generate Keys</LinkButton>}
          />
        }
      />
    </>
  );
}
