import { creditsShort, creditsShortSentence } from "../../catalogue/cost.ts";
import { creditsOf } from "../../core/credits.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Sql } from "../../db/contract.ts";
import { creditsSpent, recordEvents } from "../../webhooks/outbox.ts";
import { balanceOf, isAnyUndone, type KeyPayment, payForKeys } from "./payment-store.ts";

/**
 * Charges a reseller for keys after their order, with one ledger entry for each, and returns the credits that it cost
 * and that are left. `purpose` is the end of the sentence that refuses. Throws `CREDITS_SHORT`, or `NOT_FOUND` for keys
 * that are about to be deleted.
 */
export async function chargeForKeys(
  sql: Sql,
  ids: readonly number[],
  { purpose, ...payment }: KeyPayment & { purpose: string },
): Promise<{ cost: number; credits: number }> {
  if (await isAnyUndone(sql, ids)) throw new Refusal("NOT_FOUND", "The import of this key has been undone.");
  const { tenths, balanceTenths } = await payForKeys(sql, ids, payment);
  if (balanceTenths === null) {
    throw await creditsShortFor(sql, { resellerId: payment.resellerId, costTenths: tenths }, purpose);
  }
  const { resellerId, at } = payment;
  const spent = creditsSpent(resellerId, { at, fromTenths: balanceTenths + tenths, toTenths: balanceTenths });
  if (tenths > 0) await recordEvents(sql, [spent]);
  return { cost: creditsOf(tenths), credits: creditsOf(balanceTenths) };
}

/** `purpose` is the end of the sentence. */
export async function creditsShortFor(
  sql: Sql,
  { resellerId, costTenths }: { resellerId: number; costTenths: number },
  purpose: string,
): Promise<Refusal> {
  const missing = creditsShort({ costTenths, balanceTenths: await balanceOf(sql, resellerId) });
  return new Refusal("CREDITS_SHORT", creditsShortSentence(missing, purpose));
}
