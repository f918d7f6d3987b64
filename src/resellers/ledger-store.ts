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
  keyId: number | null;
  by: string;
  note: string | null;
  grantId: number | null;
  externalId: string | null;
  leftTenths: number | null;
}

export interface LedgerFilter extends Period {
  resellerId: number;
  reason?: LedgerReason;
}

/** What earlier take-backs left of the grant `l`. */
const leftPart = part`l.amount_tenths + CAST(coalesce(
  (SELECT sum(t.amount_tenths) FROM credit_ledger t WHERE t.grant_id = l.id), 0) AS BIGINT)`;

/** What can be taken back of an admin's grant to this reseller, in tenths, if the balance suffices. Null if there is none. */
export async function leftOfGrant(sql: Sql, resellerId: number, id: number): Promise<number | null> {
  const [row] = await sql<{ left: number }>`
    SELECT ${leftPart} AS "left" FROM credit_ledger l
    WHERE l.id = ${id} AND l.reseller_id = ${resellerId} AND l.reason = 'admin_grant'`;
  return row?.left ?? null;
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
      l.order_id AS "orderId", l.key_id AS "keyId", a.username AS by, l.note, l.grant_id AS "grantId",
      e.external_id AS "externalId",
      CASE WHEN l.reason = 'admin_grant' THEN ${leftPart} END AS "leftTenths"
    FROM credit_ledger l JOIN accounts a ON a.id = l.made_by LEFT JOIN named_extensions e ON e.ledger_id = l.id
    WHERE l.reseller_id = ${resellerId} ${reason ? part`AND l.reason = ${reason}` : nothing}
      ${from === undefined ? nothing : part`AND l.created_at >= ${from}`}
      ${to === undefined ? nothing : part`AND l.created_at < ${to}`} ${older}
    ORDER BY l.created_at DESC, l.id DESC ${limitPart}`;
}
