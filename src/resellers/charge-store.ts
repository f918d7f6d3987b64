import { balanceTenthsMax } from "../core/credits.ts";
import { listed, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { LedgerReason } from "./ledger-schema.ts";

/** Keys, and the price of each: SQL for tenths of a credit, of `license_keys AS k`. */
export interface PricedKeys {
  ids: readonly number[];
  price: SqlPart;
}

export async function sumOfPrices(sql: Sql, { ids, price }: PricedKeys): Promise<number> {
  const [sum] = await sql<{ tenths: number }>`
    SELECT CAST(coalesce(sum(${price}), 0) AS BIGINT) AS tenths FROM license_keys k WHERE k.id IN (${listed(ids)})`;
  return sum?.tenths ?? 0;
}

export async function balanceOf(sql: Sql, resellerId: number): Promise<number> {
  const [row] = await sql<{ tenths: number }>`SELECT credits_tenths AS tenths FROM resellers WHERE id = ${resellerId}`;
  return row?.tenths ?? 0;
}

/** The limit of a staff account for a day, if it has one, and what it has spent since the day began. */
export async function staffSpending(sql: Sql, { id, since }: { id: number; since: number }) {
  const [row] = await sql<{ limitTenths: number | null; spentTenths: number }>`
    SELECT f.limit_per_day_tenths AS "limitTenths", CASE WHEN f.limit_per_day_tenths IS NULL THEN 0 ELSE (
      SELECT CAST(coalesce(-sum(l.amount_tenths), 0) AS BIGINT) FROM credit_ledger l
      WHERE l.made_by = f.id AND l.created_at >= ${since} AND l.made_by <> l.reseller_id AND l.amount_tenths < 0)
    END AS "spentTenths" FROM staff f WHERE f.id = ${id}`;
  return row ?? { limitTenths: 0, spentTenths: 0 };
}

/** The same of a shop link. */
export async function linkSpending(sql: Sql, id: number, since: number): Promise<number> {
  const [row] = await sql<{ tenths: number }>`
    SELECT CAST(coalesce(sum(cost_tenths), 0) AS BIGINT) AS tenths FROM orders
    WHERE shop_link_id = ${id} AND created_at >= ${since}`;
  return row?.tenths ?? 0;
}

/**
 * Returns the new balance in tenths. Returns null and changes nothing if it would fall below 0 or rise above the
 * maximum, or if there is no such reseller.
 */
export async function changeBalance(sql: Sql, resellerId: number, amountTenths: number): Promise<number | null> {
  if (amountTenths === 0) return balanceOf(sql, resellerId);
  const [row] = await sql<{ balance: number }>`
    UPDATE resellers SET credits_tenths = credits_tenths + ${amountTenths}
    WHERE id = ${resellerId} AND credits_tenths + ${amountTenths} BETWEEN 0 AND ${balanceTenthsMax}
    RETURNING credits_tenths AS balance`;
  return row?.balance ?? null;
}

interface Entry {
  resellerId: number;
  reason: LedgerReason;
  madeBy: number;
  at: number;
  amountTenths: number;
  /** After the change. */
  balanceTenths: number;
  /** The order that was paid. */
  orderId?: number;
  note?: string;
  /** The entry of the grant that is taken back. */
  grantId?: number;
}

/** A change by nothing has no entry. */
export async function insertEntry(sql: Sql, entry: Entry): Promise<void> {
  const { resellerId, reason, madeBy, at, amountTenths, balanceTenths, orderId, note, grantId } = entry;
  if (amountTenths === 0) return;
  await sql`
    INSERT INTO credit_ledger
      (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note, grant_id)
    VALUES (${resellerId}, ${amountTenths}, ${balanceTenths}, ${reason}, ${madeBy}, ${at}, ${orderId ?? null},
      ${note ?? null}, ${grantId ?? null})`;
}

/** One entry for each key with a price, which together are the change. */
export async function insertKeyEntries(sql: Sql, entry: Entry, { ids, price }: PricedKeys): Promise<void> {
  const { resellerId, reason, madeBy, at, amountTenths, balanceTenths } = entry;
  if (amountTenths === 0) return;
  const amount = amountTenths < 0 ? part`-${price}` : price;
  await sql`
    INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, key_id)
    SELECT ${resellerId}, e.amount,
      CAST(${balanceTenths - amountTenths} AS BIGINT) + CAST(sum(e.amount) OVER (ORDER BY e.id) AS BIGINT),
      ${reason}, ${madeBy}, ${at}, e.order_id, e.id
    FROM (SELECT k.id, k.order_id, ${amount} AS amount FROM license_keys k WHERE k.id IN (${listed(ids)})) AS e
    WHERE e.amount <> 0 ORDER BY e.id`;
}
