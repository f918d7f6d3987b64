import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { creditsOf, tenthsOf } from "../../../src/core/credits.ts";
import { creditsShort, creditsShortSentence, keysTo } from "../../../src/resellers/cost.ts";
import type { ResellerProfile } from "../../../src/resellers/schema.ts";
import { profileQuery } from "../../api/calls/session.ts";
import { countText, creditsText, creditsWithUnit, pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface CostBoxProps {
  /** Credits for one key; null if unknown. */
  price: number | null;
  count: number | undefined;
  isFirstUse: boolean;
  busy: boolean;
}

/** Updated while typing. A shortage is shown below the button, so that nothing moves when the balance loads. */
export function CostBox({ price, count = 0, isFirstUse, busy }: CostBoxProps) {
  const profile = useQuery(profileQuery);
  const balance = profile.data?.credits;
  const priceTenths = price === null ? null : tenthsOf(price);
  const counted = Number.isInteger(count) && count > 0 ? count : null;
  const missing =
    counted === null || priceTenths === null || balance === undefined
      ? null
      : creditsShort({ costTenths: priceTenths * counted, balanceTenths: tenthsOf(balance) ?? 0 });
  const short = missing !== null && missing > 0;
  const total = priceTenths === null || counted === null ? null : creditsOf(priceTenths * counted);

  return (
    <Card className="md:sticky md:top-[calc(var(--sticky-top)+1rem)]">
      <CardHeading title="Cost" />
      <CardBody>
        <dl className="figures grid gap-2.5">
          <Line name="Cost per key">{price === null ? "–" : creditsWithUnit(price)}</Line>
          <Line name="Number of keys">{counted === null ? "–" : `× ${countText(counted)}`}</Line>
          {isFirstUse && <Line name="Starts">At first use</Line>}
          <Line name="Total cost" strong>
            {total === null ? "–" : creditsWithUnit(total)}
          </Line>
          <Line name="Credits available">
            <Balance profile={profile} />
          </Line>
        </dl>
        <div className={payLook}>
          <Left total={total} balance={balance} short={short} isFirstUse={isFirstUse} />
          <Button
            type="submit"
            variant="primary"
            size="large"
            wide
            disabled={short}
            busy={busy}
            busyText="Generating..."
          >
            {/* A new element when price and balance have loaded: the same one would move. */}
            <span key={`${short} ${price === null}`}>
              {short ? "INSUFFICIENT CREDITS" : actionText(counted, total)}
            </span>
          </Button>
          <div role="status">{short && <Shortage missing={missing} count={counted ?? 0} />}</div>
        </div>
      </CardBody>
    </Card>
  );
}

/** `Generate 25 keys for 75 credits`. */
function actionText(count: number | null, total: number | null): string {
  if (count === null || total === null) return "Generate Keys";
  return `Generate ${pluralText(count, "key")} for ${creditsWithUnit(total)}`;
}

/** On a phone the button is above the navigation, in the thumb's reach. */
const payLook = clsx(
  "mt-5",
  "max-md:fixed max-md:inset-x-0 max-md:bottom-(--bottom-bar) max-md:z-10 max-md:border-t max-md:border-line max-md:bg-raised max-md:px-4 max-md:py-2.5",
);

/** On a phone the lines above are out of sight. Screen readers read those lines. */
function Left(props: { total: number | null; balance: number | undefined; short: boolean; isFirstUse: boolean }) {
  const { total, balance, short, isFirstUse } = props;
  const left = total === null || balance === undefined ? null : balance - total;
  return (
    <p aria-hidden className="figures mb-1.5 text-center text-sm text-muted md:hidden">
      {short
        ? `${creditsWithUnit(balance ?? 0)} available`
        : left === null
          ? "\u00a0"
          : `${creditsWithUnit(left)} left ${isFirstUse ? "· starts at first use" : "afterwards"}`}
    </p>
  );
}

function Line({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div
      className={clsx(
        "flex items-baseline justify-between gap-4",
        strong && "border-t border-line pt-2.5 text-lg font-semibold",
      )}
    >
      <dt className={strong ? "" : "text-muted"}>{name}</dt>
      <dd className="grow text-right">
        {/* A new element when the price has loaded: the same one would move. */}
        <span key={String(children)}>{children}</span>
      </dd>
    </div>
  );
}

function Balance({ profile }: { profile: { data?: ResellerProfile; isError: boolean; refetch: () => unknown } }) {
  if (profile.data) return <span>{creditsText(profile.data.credits)}</span>;
  if (!profile.isError) return <Skeleton className="ml-auto w-14" />;
  return (
    <>
      Not loaded.{" "}
      <button
        type="button"
        onClick={() => profile.refetch()}
        className="font-medium text-brass-bright underline underline-offset-2"
      >
        Retry
      </button>
    </>
  );
}

function Shortage({ missing, count }: { missing: number; count: number }) {
  return (
    // On a phone it is above the bar, which must not move when the balance has loaded.
    <div className="max-md:absolute max-md:inset-x-0 max-md:bottom-full max-md:border-t max-md:border-line max-md:bg-raised max-md:px-4 max-md:pt-2.5">
      <div className="flex gap-3 rounded-lg border border-danger-line bg-danger-soft px-3 py-2.5 md:mt-3">
        <TriangleAlert size={18} className="mt-px shrink-0 text-danger-text" />
        <div>
          <p className="font-medium text-danger-text">Insufficient Credits!</p>
          <p className="mt-0.5">{creditsShortSentence(missing, keysTo("generate", count))}</p>
        </div>
      </div>
    </div>
  );
}
