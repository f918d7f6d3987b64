import { isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { LedgerEntry } from "./ledger-schema.ts";
import type { LedgerRow } from "./ledger-store.ts";

export function ledgerView({ id, at, reason, amountTenths, balanceTenths, orderId, by, note }: LedgerRow): LedgerEntry {
  const [amount, balance] = [creditsOf(amountTenths), creditsOf(balanceTenths)];
  return { id, at: isoOf(at), reason, amount, balance, orderId, by, note };
}
