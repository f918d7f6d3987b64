import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ListOrdered, Repeat } from "lucide-react";
import type { Role } from "../../src/accounts/schema.ts";
import { adminKeyList, ownKeyList } from "../api/calls/keys.ts";
import { noteOrder, type OpenedOrder, orderQuery, ownOrderList, revokeUnused } from "../api/calls/orders.ts";
import { profileQuery } from "../api/calls/session.ts";
import { refresh } from "../api/query.ts";
import { QueryFailure } from "../api/query-failure.tsx";
import { countText, creditsWithUnit } from "../format.ts";
import { NoteFact } from "../forms/note-fact.tsx";
import { LinkButton, TextLink } from "../ui/button.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { SkeletonCards } from "../ui/skeleton.tsx";
import { Verbatim } from "../ui/table/card-text.tsx";
import { Time } from "../ui/time.tsx";
import { KeyExpiry } from "./keys/list/key-expiry.tsx";
import { expireTogether, OrderKeys } from "./orders/order-keys.tsx";
import { eachKeyText, severalGames } from "./orders/words.ts";

interface OrderPageProps {
  area: Role;
  /** From the address. */
  id: string;
}

/**
 * /admin/orders/{id} and /reseller/orders/{id}: an order with its keys as they are now
 * (rules.md: Orders and credits pages).
 */
export default function OrderPage({ area, id }: OrderPageProps) {
  const query = useQuery(orderQuery(area, id));
  const { data: order, error } = query;
  const onChanged = () => void refresh(orderQuery(area, id), ...listsOf[area]);
  return (
    <>
      <PageHeading
        title={`Order ${id}`}
        description={`Keys that were ${order?.kind === "import" ? "imported" : "generated"} together.`}
        back={area === "admin" ? backFrom(order) : { href: "/reseller/orders", label: "Orders" }}
        actions={area === "reseller" && <BuyAgain order={order} />}
      />
      {order ? (
        <>
          <Facts area={area} id={id} order={order} onChanged={onChanged} />
          <OrderKeys
            scope={{ area, resellerId: adminOrderIn(order)?.reseller?.id }}
            order={order}
            revokeUnused={(count) => revokeUnused(area, id, count)}
            onChanged={onChanged}
          />
        </>
      ) : error ? (
        <Card>
          <QueryFailure
            query={query}
            fallback="The order could not be loaded."
            notFound={{
              icon: <ListOrdered size={20} />,
              title: "There is no such order.",
              hint: "The link may be wrong, or the order may belong to someone else.",
            }}
          />
        </Card>
      ) : (
        // Not the parts themselves: a note of unknown height would move what is below it.
        <SkeletonCards count={2} label="Loading the order" className="mb-4 h-48" />
      )}
    </>
  );
}

/**
 * Leads to the form, filled in like the order. Invisible until the order is there, so that nothing moves, and for an
 * import, which was not bought.
 */
function BuyAgain({ order }: { order: OpenedOrder | undefined }) {
  return (
    <LinkButton
      href={order ? againHref(order) : "/reseller/generate"}
      icon={<Repeat size={16} />}
      className={clsx(order?.kind !== "generated" && "invisible")}
    >
      Buy again
    </LinkButton>
  );
}

function againHref({ game, deviceLimit, durationHours, starts, count }: OpenedOrder): string {
  const fields = { game: game ?? "", deviceLimit: deviceLimit ?? 1, hours: durationHours ?? 0, starts, count };
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return `/reseller/generate?${new URLSearchParams(texts)}`;
}

/** What else shows the order, its keys or what they cost. */
const listsOf = { admin: [adminKeyList], reseller: [ownOrderList, ownKeyList, profileQuery] };

function backFrom(order: OpenedOrder | undefined) {
  const reseller = adminOrderIn(order)?.reseller;
  return reseller
    ? { href: `/admin/resellers/${reseller.id}?tab=orders`, label: `Orders of ${reseller.username}` }
    : { href: "/admin/create-keys?tab=manage", label: "Key Management" };
}

function adminOrderIn(order: OpenedOrder | undefined) {
  return order && "reseller" in order ? order : undefined;
}

interface FactsProps extends OrderPageProps {
  order: OpenedOrder;
  onChanged: () => void;
}

function Facts({ area, id, order, onChanged }: FactsProps) {
  const [first] = order.keys;
  const seenByAdmin = adminOrderIn(order);
  const reseller = seenByAdmin?.reseller;
  // An admin may change only the notes of admins' orders.
  const writable = area === "reseller" || reseller === null;
  return (
    <Card className="mb-4 p-4 md:px-5">
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Fact name="Ordered">
          <Time value={order.at} format="instant" />
        </Fact>
        <Fact name="Game">{order.game ?? severalGames}</Fact>
        <Fact name="Keys">{countText(order.count)}</Fact>
        <Fact name="Each key">{eachKeyText(order)}</Fact>
        <Fact name="Expires">
          {first && order.count === order.keys.length && expireTogether(order.keys) ? (
            <KeyExpiry of={first} />
          ) : (
            "Differs by key"
          )}
        </Fact>
        <Fact name="Cost">{order.cost === 0 ? "Nothing" : creditsWithUnit(order.cost)}</Fact>
        {order.shopLink && (
          <Fact name={`Sale in ${order.shopLink.name}`}>
            <Verbatim>{order.saleId}</Verbatim>
          </Fact>
        )}
        {area === "admin" && (
          <>
            <Fact name="By">
              {reseller ? (
                <TextLink href={`/admin/resellers/${reseller.id}`}>{seenByAdmin?.by}</TextLink>
              ) : (
                seenByAdmin?.by
              )}
            </Fact>
            {seenByAdmin && seenByAdmin.importId !== null && (
              <Fact name="Import">
                <TextLink href={`/admin/import?id=${seenByAdmin.importId}`}>Import {seenByAdmin.importId}</TextLink>
              </Fact>
            )}
            <Fact name="Audit log" need="audit:read">
              <TextLink href={`/admin/audit?search=order+${id}`}>View activity</TextLink>
            </Fact>
          </>
        )}
        <NoteFact
          note={order.note}
          about={`Order ${id}`}
          save={writable ? (form) => noteOrder(area, id, form) : undefined}
          onSaved={onChanged}
        />
      </dl>
    </Card>
  );
}
