import { balanceTenthsMax } from "../../core/credits.ts";
import { listed, part, type Sql, type SqlPart } from "../../db/contract.ts";

export interface KeyPayment {
  resellerId: number;
  /** A refund is given, everything else is paid. */
  reason: "key_extension" | "device_limit_change" | "key_refund";
  madeBy: number;
  at: number;
  /** Of `license_keys AS k`, in tenths of a credit. A key without a price has no ledger entry. */
  price: SqlPart;
}

export interface Paid {
  /** The sum of all prices. */
  tenths: number;
  /** Null if the balance would fall below 0 or rise above the maximum. Then nothing has changed. */
  balanceTenths: number | null;
}

/**
 * Changes a reseller's balance for keys after their order, with one ledger entry for each, in the caller's transaction.
 */
export async function payForKeys(
  sql: Sql,
  ids: readonly number[],
  { resellerId, reason, madeBy, at, price }: KeyPayment,
): Promise<Paid> {
  const amount = reason === "key_refund" ? price : part`-${price}`;
  const entries = part`(SELECT k.id, k.order_id, ${amount} AS amount FROM license_keys k WHERE k.id IN (${listed(ids)})) AS e`;
  const [sum] = await sql<{ change: number }>`
    SELECT CAST(coalesce(sum(e.amount), 0) AS BIGINT) AS change FROM ${entries}`;
  const change = sum?.change ?? 0;
  if (change === 0) return { tenths: 0, balanceTenths: await balanceOf(sql, resellerId) };
  const [row] = await sql<{ balance: number }>`
    UPDATE resellers SET credits_tenths = credits_tenths + ${change}
    WHERE id = ${resellerId} AND credits_tenths + ${change} BETWEEN 0 AND ${balanceTenthsMax}
    RETURNING credits_tenths AS balance`;
  if (!row) return { tenths: Math.abs(change), balanceTenths: null };
  await sql`
    INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, key_id)
    SELECT ${resellerId}, e.amount,
      CAST(${row.balance - change} AS BIGINT) + CAST(sum(e.amount) OVER (ORDER BY e.id) AS BIGINT),
      ${reason}, ${madeBy}, ${at}, e.order_id, e.id
    FROM ${entries} WHERE e.amount <> 0 ORDER BY e.id`;
  return { tenths: Math.abs(change), balanceTenths: row.balance };
}

/** Whether any of these keys is of an import that has been undone. */
export async function isAnyUndone(sql: Sql, ids: readonly number[]): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM license_keys k JOIN orders o ON o.id = k.order_id
    WHERE k.id IN (${listed(ids)}) AND o.undone_at IS NOT NULL LIMIT 1`;
  return rows.length > 0;
}

/** The same price for each key. */
export function fixedPrice(tenths: number): SqlPart {
  return part`CAST(${tenths} AS BIGINT)`;
}

export async function balanceOf(sql: Sql, resellerId: number): Promise<number> {
  const [row] = await sql<{ tenths: number }>`SELECT credits_tenths AS tenths FROM resellers WHERE id = ${resellerId}`;
  return row?.tenths ?? 0;
}
