import { creditsShort, creditsShortSentence } from "../../catalogue/cost.ts";
import { creditsOf } from "../../core/credits.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Sql } from "../../db/contract.ts";
import { balanceOf, type KeyPayment, payForKeys } from "./payment-store.ts";

/**
 * Charges a reseller for keys after their order, with one ledger entry for each, and returns the credits that it cost
 * and that are left. `purpose` is the end of the sentence that refuses. Throws `CREDITS_SHORT`.
 */
export async function chargeForKeys(
  sql: Sql,
  ids: readonly number[],
  { purpose, ...payment }: KeyPayment & { purpose: string },
): Promise<{ cost: number; credits: number }> {
  const { tenths, balanceTenths } = await payForKeys(sql, ids, payment);
  if (balanceTenths === null) {
    throw await creditsShortFor(sql, { resellerId: payment.resellerId, costTenths: tenths }, purpose);
  }
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
