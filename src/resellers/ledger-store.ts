import type { Period } from "../core/period.ts";
import { nothing, part, type Sql } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import type { LedgerReason } from "./ledger-schema.ts";

export interface LedgerRow {
  id: number;
  at: number;
  reason: LedgerReason;
  amountTenths: number;
  balanceTenths: number;
  orderId: number | null;
  by: string;
  note: string | null;
}

export interface LedgerFilter extends Period {
  resellerId: number;
  reason?: LedgerReason;
}

/** Newest first. `store.ts` writes the rows, together with the balance. */
export async function listLedger(
  sql: Sql,
  { resellerId, reason, from, to }: LedgerFilter,
  { after, limitPart }: Page<[number, number]>,
): Promise<LedgerRow[]> {
  const older = after ? part`AND (l.created_at, l.id) < (${after[0]}, ${after[1]})` : nothing;
  return sql<LedgerRow>`
    SELECT l.id, l.created_at AS at, l.reason, l.amount_tenths AS "amountTenths", l.balance_tenths AS "balanceTenths",
      l.order_id AS "orderId", a.username AS by, l.note
    FROM credit_ledger l JOIN accounts a ON a.id = l.made_by
    WHERE l.reseller_id = ${resellerId} ${reason ? part`AND l.reason = ${reason}` : nothing}
      ${from === undefined ? nothing : part`AND l.created_at >= ${from}`}
      ${to === undefined ? nothing : part`AND l.created_at < ${to}`} ${older}
    ORDER BY l.created_at DESC, l.id DESC ${limitPart}`;
}
