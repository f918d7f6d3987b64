import { useQuery } from "@tanstack/react-query";
import type { ResellerKeyDetail } from "../../../../src/keys/schema.ts";
import { gamesQuery } from "../../../api/calls/catalogue.ts";
import { creditsWithUnit, pluralText } from "../../../format.ts";

/** What revoking gives back, before it does. Nothing where that is nothing (rules.md: Refunds). */
export function Refund({ of: view }: { of: Pick<ResellerKeyDetail, "refund" | "isRefundHeld"> | undefined }) {
  if (!view || (view.refund === 0 && !view.isRefundHeld)) return null;
  return (
    <span className="mt-2 block text-text">
      {view.isRefundHeld
        ? "No credits will be refunded, because the server's clock is ahead."
        : `${creditsWithUnit(view.refund)} will be refunded.`}
    </span>
  );
}

/** The same of one key in a line, or why there is no refund; null where there never is one for it. */
export function refundText({ refund, noRefund, refundDays }: ResellerKeyDetail): string | null {
  const reasons = {
    CLOCK_AHEAD: "the server's clock is ahead",
    NOT_ACTIVE: "the key is not active",
    TOO_OLD: `bought more than ${pluralText(refundDays, "day")} ago`,
    DEVICE_CONNECTED: "a device connected",
  };
  if (noRefund === null) return `${creditsWithUnit(refund)} will be refunded`;
  return noRefund === "OFF" || noRefund === "FREE" ? null : `No refund: ${reasons[noRefund]}`;
}

/** The same afterwards. */
export function givenBackText(refund: number): string | null {
  return refund > 0 ? `${creditsWithUnit(refund)} refunded` : null;
}

/** Until when a revoked key may still work, on a device without a connection. Without a game: a key of any. */
export function OfflineNote({ game = "all" }: { game?: string }) {
  const { data = [] } = useQuery(gamesQuery);
  const leases = data.filter(({ name }) => game === "all" || name === game).map(({ leaseHours }) => leaseHours);
  const hours = Math.max(0, ...leases);
  if (hours === 0) return null;
  return <span className="mt-2 block">Offline games stop within {pluralText(hours, "hour")}.</span>;
}
