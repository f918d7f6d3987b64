import type { Role } from "../accounts/schema.ts";
import { gameNameOf } from "../catalogue/model.ts";
import { firstOf, nothing, part, type Sql } from "../db/contract.ts";

export interface ShopLinkRow {
  id: number;
  accountId: number;
  /** The end of its address. */
  ref: string;
  name: string;
  gameId: number;
  game: string;
  /** JSON: `Terms` of the schema. */
  terms: string;
  sealedSecret: string;
  isActive: number;
  createdAt: number;
  lastSaleAt: number | null;
}

const columns = part`l.id, l.account_id AS "accountId", l.ref, l.name, l.game_id AS "gameId",
  ${gameNameOf(part`l.game_id`)} AS game, l.terms, l.sealed_secret AS "sealedSecret", l.is_active AS "isActive",
  l.created_at AS "createdAt",
  (SELECT max(o.created_at) FROM orders o WHERE o.shop_link_id = l.id) AS "lastSaleAt"`;

/** Those of one account, or of all, in the order in which they were made. */
export async function listShopLinks(sql: Sql, accountId: number | null): Promise<ShopLinkRow[]> {
  const owned = accountId === null ? nothing : part`WHERE l.account_id = ${accountId}`;
  return sql<ShopLinkRow>`SELECT ${columns} FROM shop_links l ${owned} ORDER BY l.id`;
}

export async function shopLinkOf(sql: Sql, id: number, accountId: number): Promise<ShopLinkRow | null> {
  return firstOf(sql<ShopLinkRow>`
    SELECT ${columns} FROM shop_links l WHERE l.id = ${id} AND l.account_id = ${accountId}`);
}

export type SellingLink = ShopLinkRow & { username: string; role: Role };

/** The link of an address, with its account. Null unless it is on and its account is not suspended. */
export async function sellingLink(sql: Sql, ref: string): Promise<SellingLink | null> {
  return firstOf(sql<SellingLink>`
    SELECT ${columns}, a.username, a.role FROM shop_links l JOIN accounts a ON a.id = l.account_id
    WHERE l.ref = ${ref} AND l.is_active = 1 AND l.is_suspended = 0`);
}

type NewShopLink = Omit<ShopLinkRow, "id" | "game" | "lastSaleAt">;

/** Returns the new row's id, or null if the account has `linksMax` of them. */
export async function insertShopLink(sql: Sql, link: NewShopLink, linksMax: number): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO shop_links (account_id, ref, name, game_id, terms, sealed_secret, is_active, created_at)
    SELECT ${link.accountId}, ${link.ref}, ${link.name}, ${link.gameId}, ${link.terms}, ${link.sealedSecret},
      ${link.isActive}, ${link.createdAt}
    WHERE (SELECT count(*) FROM shop_links WHERE account_id = ${link.accountId}) < ${linksMax} RETURNING id`;
  return row?.id ?? null;
}

export async function updateShopLink(sql: Sql, link: Omit<NewShopLink, "createdAt"> & { id: number }): Promise<void> {
  await sql`
    UPDATE shop_links SET name = ${link.name}, game_id = ${link.gameId}, terms = ${link.terms},
      sealed_secret = ${link.sealedSecret}, is_active = ${link.isActive}
    WHERE id = ${link.id}`;
}

export async function deleteShopLink(sql: Sql, id: number): Promise<void> {
  await sql`DELETE FROM shop_links WHERE id = ${id}`;
}
