import { SquarePlus } from "lucide-react";
import { ownOrderList } from "../api/calls/orders.ts";
import { LinkButton } from "../ui/button.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import OrderList from "./orders/order-list.tsx";

/** /reseller/orders (rules.md: Orders and credits pages). `search` is the query string of the request. */
export default function OwnOrders({ search }: { search: string }) {
  return (
    <>
      <PageHeading
        title="Orders"
        description="One order for each time you generate keys."
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
        hint="Generate keys, and their order appears here."
        action={<LinkButton href="/reseller/generate">Generate Keys</LinkButton>}
      />
    </>
  );
}
