import { type Clock, msPerDay } from "../../core/clock.ts";
import { creditsOf } from "../../core/credits.ts";
import type { Sql } from "../../db/contract.ts";
import { give } from "../../resellers/charge.ts";
import type { NoRefund } from "../schema.ts";
import type { Selection } from "../selection/selection-store.ts";
import * as store from "./refund-store.ts";

export type Refunds = ReturnType<typeof createRefunds>;

/** What the panel shows before a revocation. */
export interface RefundView {
  /** Credits. */
  refund: number;
  isRefundHeld: boolean;
}

interface KeyRefundView extends RefundView {
  noRefund: NoRefund | null;
  refundDays: number;
}

const nothing: RefundView = { refund: 0, isRefundHeld: false };

/** What a revocation gives back (rules.md: Refunds). `days` is 0 if that is nothing. */
export function createRefunds({ days, clock }: { days: number; clock: Pick<Clock, "now" | "isAhead"> }) {
  return {
    async ofKey(sql: Sql, id: number): Promise<KeyRefundView> {
      if (days === 0) return { ...nothing, noRefund: "OFF", refundDays: days };
      const { tenths, noRefund } = await store.refundOfKey(sql, id, timeAt(clock.now()));
      return { ...viewOf(tenths), noRefund: clock.isAhead() ? "CLOCK_AHEAD" : noRefund, refundDays: days };
    },

    /** Of selected keys of a reseller, or with null of admins. */
    ofSelection: async (sql: Sql, resellerId: number | null, selection: Selection): Promise<RefundView> =>
      days === 0 || resellerId === null
        ? nothing
        : viewOf(await store.refundOfSelection(sql, resellerId, selection, timeAt(clock.now()))),

    /**
     * Gives back what was paid for keys of one owner that the caller has revoked in the same transaction. Returns the
     * credits. Throws `BALANCE_TOO_LARGE`.
     */
    async give(sql: Sql, ids: readonly number[], { madeBy, at }: { madeBy: number; at: number }): Promise<number> {
      if (days === 0 || clock.isAhead()) return 0;
      const resellerId = await store.resellerOf(sql, ids);
      if (resellerId === null) return 0;
      const gives = { ids, price: store.refundOf(timeAt(at)) };
      return give(sql, { resellerId, reason: "key_refund", gives, madeBy, at });
    },
  };

  function timeAt(at: number): store.RefundTime {
    return { since: at - days * msPerDay, at };
  }

  function viewOf(tenths: number): RefundView {
    return clock.isAhead()
      ? { refund: 0, isRefundHeld: tenths > 0 }
      : { refund: creditsOf(tenths), isRefundHeld: false };
  }
}
