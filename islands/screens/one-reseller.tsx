import { useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, CirclePlus, KeyRound, LogOut, Pencil, RectangleEllipsis } from "lucide-react";
import { useCallback } from "react";
import type { LedgerEntry } from "../../src/resellers/ledger-schema.ts";
import type { Reseller } from "../../src/resellers/schema.ts";
import { priceListsQuery } from "../api/calls/catalogue.ts";
import { ledgerOf } from "../api/calls/ledger.ts";
import { resellerOrderList } from "../api/calls/orders.ts";
import { resellerQuery } from "../api/calls/resellers.ts";
import { countText, creditsText } from "../format.ts";
import { usePreload } from "../runtime/preload.ts";
import { useRights } from "../runtime/rights.ts";
import { useHashCommand } from "../state/hash-command.ts";
import { useUrlState } from "../state/url-state.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton, LinkButton, TextLink } from "../ui/button.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { SkeletonCards } from "../ui/skeleton.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { LedgerList } from "./ledger/ledger-list.tsx";
import { useStatusChange } from "./resellers/changes.ts";
import type { ResellerDialogProps } from "./resellers/dialogs.tsx";
import { ResellerPage } from "./resellers/reseller-page.tsx";

const loadParts = () => Promise.all([ResellerDialog.load(), TakeBackGrant.load(), loadOrders()]);
/** The other tab is the one that opens first. */
const loadOrders = () => import("./orders/order-list.tsx");
const OrderList = lazyPart(loadOrders, <SkeletonCards count={2} label="Loading the orders" className="mb-4 h-48" />);
const ResellerDialog = lazyDialog(() => import("./resellers/dialogs.tsx"));
const TakeBackGrant = lazyDialog(() => import("./resellers/take-back-grant.tsx"));

/** The tab is in the address, but not among the filters: clearing those does not leave the tab. */
const tabDefaults = { tab: "credits" };

interface OneResellerProps {
  id: string;
  /** `null` if there is no such reseller. */
  username: string | null;
  search: string;
}

/** /admin/resellers/{id}: a reseller's account and what was done with the credits (rules.md: Reseller pages). */
export default function OneReseller({ id, username, search }: OneResellerProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const { dialog, show } = useDialog<Pick<ResellerDialogProps, "action" | "about">>();
  const { dialog: takeBack, show: showTakeBack } = useDialog<{ grant: LedgerEntry }>();
  const onTakeBack = useCallback((grant: LedgerEntry) => showTakeBack({ grant }), [showTakeBack]);
  usePreload(loadParts);
  const { may } = useRights();
  const reads = may("resellers:read");
  const manages = reads && may("resellers:manage");
  const addCredit = { icon: <CirclePlus size={16} />, need: reads ? "resellers:manage" : "everything" } as const;
  const { data: reseller, isError } = useQuery({ ...resellerQuery(id), enabled: username !== null && reads });
  const open = (action: ResellerDialogProps["action"]) => reseller && show({ action, about: reseller });
  useHashCommand("credit", () => open("credit"), { isReady: reseller !== undefined, need: "resellers:manage" });
  useHashCommand("suspend", () => open("suspension"), {
    isReady: reseller?.isActive === true,
    need: "resellers:manage",
  });
  return (
    <ResellerPage
      unknown={username === null}
      title={username === null ? "Reseller" : <span translate="no">{username}</span>}
      description="Credits, orders and keys."
      actions={
        <>
          <LinkButton href={`/admin/resellers/${id}/keys`} icon={<KeyRound size={16} />}>
            Keys
          </LinkButton>
          <Button {...addCredit} variant="primary" disabled={!reseller} onClick={() => open("credit")}>
            Add Credit
          </Button>
        </>
      }
    >
      {reads && (
        <Card className="mb-4 p-4 md:px-5">
          <Facts username={username ?? ""} data={reseller} isError={isError} />
          {manages && <AccountActions reseller={reseller} open={open} />}
        </Card>
      )}
      <Tabs
        label="Reseller"
        selected={values.tab}
        onSelect={(tab) => change({ tab, ...noFilters })}
        tabs={[
          {
            id: "credits",
            label: "Credits",
            need: "credits:read",
            panel: (
              <LedgerList
                ledger={ledgerOf(id)}
                area="admin"
                search={search}
                onTakeBack={manages ? onTakeBack : undefined}
              />
            ),
          },
          {
            id: "orders",
            label: "Orders",
            need: "keys:read",
            panel: (
              <OrderList
                orders={resellerOrderList(id)}
                area="admin"
                search={search}
                hint="One order appears here each time this reseller generates keys."
              />
            ),
          },
        ]}
      />
      {dialog && <ResellerDialog key={dialog.nth} {...dialog} />}
      {takeBack && <TakeBackGrant {...takeBack} resellerId={id} />}
    </ResellerPage>
  );
}

/** The filters of one list do not apply to the other. */
const noFilters = { reason: undefined, from: undefined, to: undefined, search: undefined, game: undefined };

interface FactsProps {
  username: string;
  data: Reseller | undefined;
  isError: boolean;
}

function Facts({ username, data, isError }: FactsProps) {
  const unknown = isError ? <span title="Could not be loaded">–</span> : undefined;
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-6">
        <Fact name="Credit Balance">{data ? creditsText(data.credits) : unknown}</Fact>
        <Fact name="Total Keys">{data ? countText(data.totalKeys) : unknown}</Fact>
        <Fact name="Registered">{data ? <Time value={data.registrationDate} /> : unknown}</Fact>
        <Fact name="Status">{data ? <Status isActive={data.isActive} /> : unknown}</Fact>
        <Fact name="Audit log" need="audit:read">
          <TextLink href={`/admin/audit?actor=${encodeURIComponent(username)}`}>View activity</TextLink>
        </Fact>
        <PriceListFact reseller={data} />
      </dl>
      {data?.suspensionReason && (
        <p className="mt-3 text-sm text-muted wrap-anywhere">Suspended: {data.suspensionReason}</p>
      )}
    </>
  );
}

function Status({ isActive }: Pick<Reseller, "isActive">) {
  return (
    <Badge tone={isActive ? "active" : "expired"} dot>
      {isActive ? "Active" : "Suspended"}
    </Badge>
  );
}

const PriceListDialog = lazyDialog(() => import("./resellers/price-list-dialog.tsx"));

/** The reseller's price list and the way to change it, if there is more than one. */
function PriceListFact({ reseller }: { reseller: Reseller | undefined }) {
  const { data: lists = [] } = useQuery({ ...priceListsQuery, enabled: useRights().may("stats:read") });
  const { dialog, show } = useDialog();
  if (!reseller || lists.length < 2) return null;
  const name = lists.find(({ id }) => id === reseller.priceListId)?.name;
  return (
    <Fact name="Price list">
      <span title={name} className="truncate">
        {name}
      </span>
      <IconButton
        label="Change price list"
        need="resellers:manage"
        icon={<Pencil size={16} />}
        size="small"
        className="-my-3 ml-1"
        onClick={() => show({})}
      />
      {dialog && <PriceListDialog {...dialog} reseller={reseller} lists={lists} />}
    </Fact>
  );
}

interface AccountActionsProps {
  /** Undefined while it is loaded. */
  reseller: Reseller | undefined;
  open: (action: ResellerDialogProps["action"]) => void;
}

/** What an admin can do to a reseller's account. The button with two labels is the last, so that it moves no other. */
function AccountActions({ reseller, open }: AccountActionsProps) {
  const { mutate: activate, isPending, isHeld } = useStatusChange();
  const shared = { size: "small", disabled: !reseller, className: "max-md:not-aria-busy:[&_svg]:hidden" } as const;
  const isSuspended = reseller?.isActive === false;
  function changeStatus() {
    if (isSuspended) activate(reseller);
    // The second press of a double click on Activate would land on Suspend.
    else if (!isHeld()) open("suspension");
  }
  return (
    <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
      <Button {...shared} need="everything" icon={<RectangleEllipsis size={16} />} onClick={() => open("password")}>
        Reset Password
      </Button>
      <Button {...shared} need="everything" icon={<LogOut size={16} />} onClick={() => open("sessions")}>
        End Sessions
      </Button>
      <Button
        {...shared}
        variant={reseller?.isActive ? "danger-quiet" : "secondary"}
        icon={isSuspended ? <CircleCheck size={16} /> : <Ban size={16} />}
        busy={isPending}
        onClick={changeStatus}
      >
        {isSuspended ? "Activate" : "Suspend"}
      </Button>
    </div>
  );
}
