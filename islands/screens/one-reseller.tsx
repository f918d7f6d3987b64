import { useQuery } from "@tanstack/react-query";
import { KeyRound, ListOrdered } from "lucide-react";
import { useCallback } from "react";
import type { LedgerEntry } from "../../src/resellers/ledger-schema.ts";
import type { Reseller } from "../../src/resellers/schema.ts";
import { ledgerOf } from "../api/calls/ledger.ts";
import { resellerOrderList } from "../api/calls/orders.ts";
import { resellerQuery } from "../api/calls/resellers.ts";
import { countText, creditsText } from "../format.ts";
import { usePreload } from "../runtime/preload.ts";
import { useUrlState } from "../state/url-state.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton, TextLink } from "../ui/button.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { LedgerList } from "./ledger/ledger-list.tsx";
import { OrderList } from "./orders/order-list.tsx";
import { ResellerPage } from "./resellers/reseller-page.tsx";

const TakeBackGrant = lazyDialog(() => import("./resellers/take-back-grant.tsx"));

/** The tab is in the address, but not among the filters: clearing those does not leave the tab. */
const tabDefaults = { tab: "credits" };

interface OneResellerProps {
  id: string;
  /** `null` if there is no such reseller. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}: what a reseller did with the credits (rules.md: Reseller pages). */
export default function OneReseller({ id, username, search }: OneResellerProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const { dialog, show } = useDialog<{ grant: LedgerEntry }>();
  const onTakeBack = useCallback((grant: LedgerEntry) => show({ grant }), [show]);
  usePreload(TakeBackGrant.load);
  return (
    <ResellerPage
      unknown={username === null}
      title={username ?? "Reseller"}
      description="Credits, orders and keys."
      actions={
        <LinkButton href={`/admin/resellers/${id}/keys`} icon={<KeyRound size={16} />}>
          Keys
        </LinkButton>
      }
    >
      <Facts id={id} username={username ?? ""} />
      <Tabs
        label="Reseller"
        selected={values.tab}
        onSelect={(tab) => change({ tab, ...noFilters })}
        tabs={[
          {
            id: "credits",
            label: "Credits",
            panel: <LedgerList ledger={ledgerOf(id)} area="admin" search={search} onTakeBack={onTakeBack} />,
          },
          {
            id: "orders",
            label: "Orders",
            panel: (
              <OrderList
                orders={resellerOrderList(id)}
                area="admin"
                search={search}
                empty={
                  <EmptyState
                    icon={<ListOrdered size={20} />}
                    title="No orders yet"
                    hint="One order appears here each time this reseller generates keys."
                  />
                }
              />
            ),
          },
        ]}
      />
      {dialog && <TakeBackGrant {...dialog} resellerId={id} />}
    </ResellerPage>
  );
}

/** The filters of one list do not apply to the other. */
const noFilters = { reason: undefined, from: undefined, to: undefined, search: undefined, game: undefined };

function Facts({ id, username }: { id: string; username: string }) {
  const { data, isError } = useQuery(resellerQuery(id));
  const unknown = isError && <span title="Could not be loaded">–</span>;
  return (
    <Card className="mb-4 p-4 md:px-5">
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-5">
        <Fact name="Credit Balance">{data ? creditsText(data.credits) : unknown || undefined}</Fact>
        <Fact name="Total Keys">{data ? countText(data.totalKeys) : unknown || undefined}</Fact>
        <Fact name="Registered">{data ? <Time value={data.registrationDate} /> : unknown || undefined}</Fact>
        <Fact name="Status">{data ? <Status {...data} /> : unknown || undefined}</Fact>
        <Fact name="Audit log">
          <TextLink href={`/admin/audit?actor=${encodeURIComponent(username)}`}>What {username} did</TextLink>
        </Fact>
      </dl>
    </Card>
  );
}

function Status({ isActive, suspensionReason }: Pick<Reseller, "isActive" | "suspensionReason">) {
  return (
    <span>
      <Badge tone={isActive ? "active" : "expired"} dot>
        {isActive ? "Active" : "Suspended"}
      </Badge>
      {suspensionReason !== null && <span className="mt-1 block text-xs text-muted">{suspensionReason}</span>}
    </span>
  );
}
