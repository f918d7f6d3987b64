import { hoursPerDay } from "../core/clock.ts";
import type { DatabaseEvent } from "../core/events.ts";
import { accountTarget } from "./account-facts.ts";
import type { Charged, NewEvent } from "./outbox-store.ts";
import type { Tellings } from "./telling.ts";

interface OfReseller {
  reseller: { id: number; username: string };
}

/** Amounts are in credits. */
export interface ResellerFacts {
  /** `resellerId` and `cost` are null for an admin's order. */
  keys_generated: {
    orderId: number;
    resellerId: number | null;
    order: {
      count: number;
      days: number;
      durationHours: number | null;
      isFirstUse: number;
      deviceLimit: number;
      externalId: string | null;
      saleId: string | null;
    };
    game: string;
    durationId: number | null;
    keyIds: number[];
    cost: Charged | null;
  };
  credit_granted: OfReseller & { amount: number; balance: number };
  grant_taken_back: OfReseller & { amount: number; balance: number; low: NewEvent };
  /** `message` is what open pages say. */
  reseller_suspended: OfReseller & { sessions: number; reason: string | undefined; message: string };
  reseller_reactivated: OfReseller & { message: string };
  registered: OfReseller & { tokenId: number; credits: number };
}

export const resellerTellings: Tellings<ResellerFacts> = {
  keys_generated: {
    audit: ({ orderId, order: { count, days, isFirstUse, deviceLimit }, game, cost }) => ({
      target: orderTarget(orderId),
      details: {
        count,
        game,
        days,
        deviceLimit,
        cost: cost?.paid.cost ?? 0,
        ...(isFirstUse === 1 && { starts: "first_use" }),
      },
    }),
    webhooks: ({ orderId, resellerId, order, game, durationId, keyIds, cost }, { at }) => {
      const { cost: amount = 0, credits: balance } = cost?.paid ?? {};
      const { externalId, saleId, deviceLimit, days, durationHours } = order;
      const what = { game, durationId, hours: durationHours ?? days * hoursPerDay, deviceLimit };
      const paid = { amount, ...(balance !== undefined && { balance }) };
      const data = { orderId, externalId, saleId, ...what, count: keyIds.length, keyIds, ...paid };
      return [{ type: "order.created", resellerId, at, data }, ...(cost ? [cost.low] : [])];
    },
    history: null,
    live: null,
  },
  credit_granted: {
    audit: ({ reseller, amount, balance }) => ({
      target: targetOf(reseller),
      details: { resellerId: reseller.id, amount, balance },
    }),
    webhooks: ({ reseller, amount, balance }, { at }) => [
      { type: "credits.granted", resellerId: reseller.id, at, data: { amount, balance } },
    ],
    history: null,
    live: creditsChanged,
  },
  grant_taken_back: {
    audit: ({ reseller, amount, balance }) => ({
      target: targetOf(reseller),
      details: { resellerId: reseller.id, amount, balance },
    }),
    webhooks: ({ low }) => [low],
    history: null,
    live: creditsChanged,
  },
  reseller_suspended: {
    audit: ({ reseller, sessions, reason }) => ({
      target: targetOf(reseller),
      details: { resellerId: reseller.id, sessions, ...(reason !== undefined && { reason }) },
    }),
    webhooks: ({ reseller }, { at }) => [{ type: "reseller.suspended", resellerId: reseller.id, at, data: {} }],
    history: null,
    live: ({ reseller, message }) => statusChanged(reseller.id, false, message),
  },
  reseller_reactivated: {
    audit: ({ reseller }) => ({ target: targetOf(reseller), details: { resellerId: reseller.id } }),
    webhooks: null,
    history: null,
    live: ({ reseller, message }) => statusChanged(reseller.id, true, message),
  },
  registered: {
    audit: ({ reseller, tokenId, credits }) => ({
      target: targetOf(reseller),
      details: { resellerId: reseller.id, tokenId, credits },
      actor: { ...reseller, role: "reseller" },
    }),
    webhooks: ({ reseller, credits: balance }, { at }) => [
      { type: "reseller.registered", resellerId: reseller.id, at, data: { balance } },
    ],
    history: null,
    live: null,
  },
};

/** How the audit log names an order: `order 12`. */
export function orderTarget(id: number): string {
  return `order ${id}`;
}

function targetOf({ username }: OfReseller["reseller"]): string {
  return accountTarget({ role: "reseller", username });
}

function creditsChanged({ reseller }: OfReseller): DatabaseEvent[] {
  return [{ about: "reseller", resellerId: reseller.id, notice: { type: "credits_change" } }];
}

function statusChanged(resellerId: number, isActive: boolean, message: string): DatabaseEvent[] {
  return [{ about: "reseller", resellerId, notice: { type: "status_change", isActive, message } }];
}
