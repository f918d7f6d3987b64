import { countSpent, spentOn } from "../accounts/api-keys/api-key-store.ts";
import type { Caller } from "../accounts/audited-changes.ts";
import { isProgram, isShop } from "../accounts/principal.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { dayOf, endOfDay, msPerDay, msPerSecond } from "../core/clock.ts";
import { creditsOf, tenthsOf } from "../core/credits.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import { type Charged, creditsSpent, type NewEvent } from "../facts/outbox-store.ts";
import * as store from "./charge-store.ts";
import { creditsShort, creditsShortSentence, creditsText } from "./cost.ts";

/* The only writer of balances and the ledger. Each function runs in the caller's transaction. */

/** `purpose` is the end of the sentence that refuses. `expected` is what the caller expects it to cost, in credits. */
interface Payment {
  purpose: () => string;
  expected?: number | null;
  at: number;
}

/**
 * Sells an order to the reseller who calls. What it costs comes off the balance before the order is inserted. Throws
 * `CREDITS_SHORT`, or `CREDITS_PER_DAY_SPENT` past the limit of an API key, a staff account or a shop link.
 */
export async function chargeForOrder(
  sql: Sql,
  reseller: Caller,
  { tenths, insertOrder, ...payment }: Payment & { tenths: number; insertOrder: () => Promise<number> },
): Promise<Charged & { orderId: number }> {
  const { entry, charged } = await take(sql, reseller, tenths, payment);
  const orderId = await insertOrder();
  await store.insertEntry(sql, { ...entry, reason: "key_purchase", orderId });
  return { ...charged, orderId };
}

/** The same for keys after their order, with one entry for each that has a price, before the keys are changed. */
export async function chargeForKeys(
  sql: Sql,
  reseller: Caller,
  { keys, reason, ...payment }: Payment & { keys: store.PricedKeys; reason: "key_extension" | "device_limit_change" },
): Promise<Charged> {
  const tenths = await store.sumOfPrices(sql, keys);
  refuseDearer(tenths, payment.expected);
  const { entry, charged } = await take(sql, reseller, tenths, payment);
  await store.insertKeyEntries(sql, { ...entry, reason }, keys);
  return charged;
}

/** Throws `COST_CHANGED` if a call would cost more than its caller expects, or `INVALID` for what is no amount. */
export function refuseDearer(tenths: number, expected: number | null | undefined): void {
  if (expected == null) return;
  const expectedTenths = tenthsOf(expected);
  if (expectedTenths === null) throw invalid("cost", "cost may have at most one decimal");
  if (tenths > expectedTenths) {
    const cost = creditsOf(tenths);
    const sentence = `This would now cost ${creditsText(cost)} credits, so nothing was done. Please check again.`;
    throw new Refusal("COST_CHANGED", sentence, { cost });
  }
}

/**
 * Throws what refuses such a payment, `COST_CHANGED` included, before work that takes long. The payment decides again.
 */
export async function refuseUnpayable(sql: Sql, reseller: Caller, tenths: number, payment: Payment): Promise<void> {
  refuseDearer(tenths, payment.expected);
  const balanceTenths = await store.balanceOf(sql, resellerIdOf(reseller));
  if (balanceTenths < tenths) throw creditsShortFor(balanceTenths, tenths, payment.purpose());
  const limit = limitPerDayOf(reseller);
  if (limit === null || tenths === 0) return refuseOthersPerDay(sql, reseller, tenths, payment.at);
  if ((await spentOn(sql, { id: limit.id, day: dayOf(payment.at) })) + tenths > limit.tenths)
    throw spentToday("API key", payment.at);
}

async function take(sql: Sql, reseller: Caller, tenths: number, { purpose, at }: Payment) {
  const resellerId = resellerIdOf(reseller);
  const balanceTenths = await store.changeBalance(sql, resellerId, -tenths);
  if (balanceTenths === null) throw creditsShortFor(await store.balanceOf(sql, resellerId), tenths, purpose());
  await refusePerDay(sql, reseller, tenths, at);
  const low = creditsSpent(resellerId, { at, fromTenths: balanceTenths + tenths, toTenths: balanceTenths });
  return {
    entry: { resellerId, madeBy: reseller.id, at, amountTenths: -tenths, balanceTenths },
    charged: { paid: { cost: creditsOf(tenths), credits: creditsOf(balanceTenths) }, low },
  };
}

/** Counts what a program spends. Throws `CREDITS_PER_DAY_SPENT` if it, staff or a shop link is beyond its limit. */
async function refusePerDay(sql: Sql, caller: Caller, tenths: number, at: number): Promise<void> {
  const limit = limitPerDayOf(caller);
  if (limit === null || tenths === 0) return refuseOthersPerDay(sql, caller, tenths, at);
  const isCounted = await countSpent(sql, { id: limit.id, day: dayOf(at), tenths, limitTenths: limit.tenths });
  if (!isCounted) throw spentToday("API key", at);
}

/** What staff or a shop link has spent since the day began is stored, also from before it had a limit. */
async function refuseOthersPerDay(sql: Sql, caller: Caller, tenths: number, at: number): Promise<void> {
  const since = dayOf(at) * msPerDay;
  if (isShop(caller)) {
    const { id, limitTenths } = caller.shopLink;
    if (limitTenths !== null && (await store.linkSpending(sql, id, since)) + tenths > limitTenths)
      throw spentToday("shop link", at);
  }
  if (caller.rights === null || tenths === 0) return;
  const { limitTenths, spentTenths } = await store.staffSpending(sql, { id: caller.id, since });
  if (limitTenths !== null && spentTenths + tenths > limitTenths) throw spentToday("account", at);
}

function limitPerDayOf(caller: Caller): { id: number; tenths: number } | null {
  if (!isProgram(caller) || caller.apiKey.limitPerDayTenths === null) return null;
  return { id: caller.apiKey.id, tenths: caller.apiKey.limitPerDayTenths };
}

function spentToday(what: "API key" | "account" | "shop link", at: number): Refusal {
  const retryAfterSeconds = Math.ceil((endOfDay(at) + 1 - at) / msPerSecond);
  const sentence = `This ${what} may not spend that many credits today.`;
  return new Refusal("CREDITS_PER_DAY_SPENT", sentence, { retryAfterSeconds });
}

function creditsShortFor(balanceTenths: number, costTenths: number, purpose: string): Refusal {
  return new Refusal("CREDITS_SHORT", creditsShortSentence(creditsShort({ costTenths, balanceTenths }), purpose));
}

export async function creditsLeft(sql: Sql, resellerId: number): Promise<number> {
  return creditsOf(await store.balanceOf(sql, resellerId));
}

interface Gift {
  gives: { tenths: number } | store.PricedKeys;
  resellerId: number;
  reason: "token_bonus" | "admin_grant" | "key_refund";
  madeBy: number;
  at: number;
  note?: string;
}

/** Adds to a balance. Returns the credits that were given. Throws `BALANCE_TOO_LARGE`. */
export async function give(sql: Sql, { gives, ...gift }: Gift): Promise<number> {
  const tenths = "ids" in gives ? await store.sumOfPrices(sql, gives) : gives.tenths;
  const balance = await store.changeBalance(sql, gift.resellerId, tenths);
  if (balance === null) {
    const what = gift.reason === "key_refund" ? "The refund would make the balance" : "The balance would";
    throw new Refusal("BALANCE_TOO_LARGE", `${what} exceed the maximum.`);
  }
  const entry = { ...gift, amountTenths: tenths, balanceTenths: balance };
  if ("ids" in gives) await store.insertKeyEntries(sql, entry, gives);
  else await store.insertEntry(sql, entry);
  return creditsOf(tenths);
}

interface TakenBack {
  resellerId: number;
  /** The entry of the grant. */
  grantId: number;
  tenths: number;
  madeBy: number;
  at: number;
}

/** Takes a part of a grant back. Returns an event for low balances, or null if the balance has not that much. */
export async function takeBack(sql: Sql, { tenths, ...taken }: TakenBack): Promise<NewEvent | null> {
  const { resellerId, at } = taken;
  const balance = await store.changeBalance(sql, resellerId, -tenths);
  if (balance === null) return null;
  const entry = { ...taken, reason: "grant_taken_back" as const, amountTenths: -tenths, balanceTenths: balance };
  await store.insertEntry(sql, entry);
  return creditsSpent(resellerId, { at, fromTenths: balance + tenths, toTenths: balance });
}
