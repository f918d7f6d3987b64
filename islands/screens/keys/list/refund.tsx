import type { ResellerKeyDetail } from "../../../../src/keys/schema.ts";
import { creditsWithUnit } from "../../../format.ts";

/** What revoking gives back, before it does. Nothing where that is nothing (rules.md: Refunds). */
export function Refund({ of: view }: { of: Pick<ResellerKeyDetail, "refund" | "isRefundHeld"> | undefined }) {
  if (!view || (view.refund === 0 && !view.isRefundHeld)) return null;
  return (
    <span className="mt-2 block text-text">
      {view.isRefundHeld
        ? "It gives no credits back now, because the server's clock is ahead."
        : `It gives ${creditsWithUnit(view.refund)} back.`}
    </span>
  );
}

/** The same afterwards. */
export function givenBackText(refund: number): string | null {
  return refund > 0 ? `${creditsWithUnit(refund)} given back` : null;
}
