import { hasRows, nothing, part, type Sql } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import type { Sale } from "./schema.ts";

/** `refusalHash` is null for a delivery. */
export type SaleRow = Omit<Sale, "at"> & { at: number; shopLinkId: number; refusalHash: string | null };

/** Newest first. */
export async function listSales(
  sql: Sql,
  id: number,
  { after, limitPart }: Page<[number, number]>,
): Promise<SaleRow[]> {
  return sql<SaleRow>`
    SELECT id, shop_link_id AS "shopLinkId", at, sale_id AS "saleId", quantity, status, code, message,
      order_id AS "orderId", refusal_hash AS "refusalHash", refusal_count AS count
    FROM shop_sales WHERE shop_link_id = ${id} ${after ? part`AND (at, id) < (${after[0]}, ${after[1]})` : nothing}
    ORDER BY at DESC, id DESC ${limitPart}`;
}

/**
 * A delivery is written in the transaction that makes its order. Refusals with the same hash become one row, and none is
 * written if the link has `rowsMax` of them since `since`.
 */
export async function recordSale(sql: Sql, sale: Omit<SaleRow, "id">, since: number, rowsMax: number): Promise<void> {
  const { shopLinkId, at, saleId, quantity, status, code, message, orderId, refusalHash, count } = sale;
  const refused = part`SELECT count(*) FROM shop_sales r
    WHERE r.shop_link_id = ${shopLinkId} AND r.refusal_hash IS NOT NULL AND r.at >= ${since}`;
  await sql`
    INSERT INTO shop_sales AS s (shop_link_id, at, sale_id, quantity, status, code, message, order_id, refusal_hash,
      refusal_count)
    SELECT ${shopLinkId}, ${at}, CAST(${saleId} AS TEXT), CAST(${quantity} AS BIGINT), ${status}, CAST(${code} AS TEXT),
      CAST(${message} AS TEXT), CAST(${orderId} AS BIGINT), CAST(${refusalHash} AS TEXT), ${count}
    WHERE ${refusalHash === null ? part`1 = 1` : part`(${refused}) < ${rowsMax}`}
    ON CONFLICT (shop_link_id, refusal_hash) DO UPDATE SET refusal_count = s.refusal_count + excluded.refusal_count`;
}

/** Returns whether a link, if there still is one, fails with this code for the first time since `since`. */
export async function isFirstFailure(sql: Sql, sale: Omit<SaleRow, "id">, since: number): Promise<boolean> {
  return hasRows(sql`
    INSERT INTO shop_failures AS f (shop_link_id, code, told_at)
    SELECT l.id, CAST(${sale.code} AS TEXT), CAST(${sale.at} AS BIGINT) FROM shop_links l WHERE l.id = ${sale.shopLinkId}
    ON CONFLICT (shop_link_id, code) DO UPDATE SET told_at = excluded.told_at WHERE f.told_at < ${since}
    RETURNING shop_link_id`);
}

export async function hasOlder(sql: Sql, keptSince: number): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM (SELECT at FROM shop_sales ORDER BY id LIMIT 1) AS oldest WHERE at < ${keptSince}`);
}

export async function eraseOldest(sql: Sql, keptSince: number, rowsMax: number): Promise<void> {
  await sql`
    DELETE FROM shop_sales WHERE at < ${keptSince} AND id IN (SELECT id FROM shop_sales ORDER BY id LIMIT ${rowsMax})`;
}
