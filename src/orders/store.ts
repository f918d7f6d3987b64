import { gameNameOf } from "../catalogue/model.ts";
import { foldedText } from "../core/text.ts";
import { containing, firstOf, listed, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";

export interface NewOrder {
  /** Null for an admin's order, whose keys have no owner. */
  resellerId: number | null;
  madeBy: number;
  gameId: number;
  deviceLimit: number;
  days: number;
  isFirstUse: number;
  /** Null for an admin's expiry date. */
  durationHours: number | null;
  count: number;
  costTenths: number;
  at: number;
  /** What the program that ordered calls the order, and the hash of its request. */
  externalId: string | null;
  requestHash: string | null;
  /** The shop's sale, and the link through which it came. All are null for other orders. */
  shopLinkId: number | null;
  shopLinkName: string | null;
  saleId: string | null;
}

/** The keys of an import may differ in game, device limit and days: then these are null. */
export interface OrderRow extends Omit<NewOrder, "gameId" | "requestHash" | "deviceLimit" | "days"> {
  game: string | null;
  deviceLimit: number | null;
  days: number | null;
  id: number;
  /** Null for generated keys. */
  importId: number | null;
  undoneAt: number | null;
  note: string | null;
  /** The usernames of the maker and of the reseller, if it is a reseller's. */
  by: string;
  reseller: string | null;
}

/** A reseller's orders, those of the admins, or all orders. */
export type OrderOwner = { resellerId: number } | "admins" | "anyone";

/** Returns the new order's id. The keys are made in the same transaction. */
export async function insertOrder(sql: Sql, order: NewOrder): Promise<number> {
  const { resellerId, madeBy, gameId, deviceLimit, days, isFirstUse, durationHours, count, costTenths, at } = order;
  const { externalId, requestHash, shopLinkId, shopLinkName, saleId } = order;
  const [row] = await sql<{ id: number }>`
    INSERT INTO orders (reseller_id, made_by, game_id, device_limit, days, is_first_use, duration_hours, key_count,
      cost_tenths, created_at, external_id, external_id_folded, request_hash, shop_link_id, shop_link_name, sale_id,
      sale_id_folded)
    VALUES (${resellerId}, ${madeBy}, ${gameId}, ${deviceLimit}, ${days}, ${isFirstUse}, ${durationHours}, ${count},
      ${costTenths}, ${at}, ${externalId}, ${externalId && foldedText(externalId)}, ${requestHash}, ${shopLinkId}, ${shopLinkName}, ${saleId},
      ${saleId && foldedText(saleId)}) RETURNING id`;
  return (row as { id: number }).id;
}

const orderColumns = part`o.id, o.reseller_id AS "resellerId", o.made_by AS "madeBy", ${gameNameOf(part`o.game_id`)} AS game, o.device_limit AS "deviceLimit", o.days,
  o.is_first_use AS "isFirstUse", o.duration_hours AS "durationHours",
  o.key_count AS count, o.cost_tenths AS "costTenths", o.external_id AS "externalId",
  o.shop_link_id AS "shopLinkId", o.shop_link_name AS "shopLinkName", o.sale_id AS "saleId", o.import_id AS "importId", o.undone_at AS "undoneAt", o.note, o.created_at AS at, maker.username AS by, owner.username AS reseller`;

const ordersWithNames = part`orders o JOIN accounts maker ON maker.id = o.made_by LEFT JOIN accounts owner ON owner.id = o.reseller_id`;

export async function orderOf(sql: Sql, owner: OrderOwner, id: number): Promise<OrderRow | null> {
  const [row] = await sql<OrderRow>`
    SELECT ${orderColumns} FROM ${ordersWithNames} WHERE o.id = ${id} AND ${ownedBy(owner)}`;
  return row ?? null;
}

/** An order of keys that were generated here, which are all alike. */
export type GeneratedOrderRow = OrderRow & Pick<NewOrder, "deviceLimit" | "days"> & { game: string };

/** The order that an account's program gave this name, and the balance of its reseller after it. */
export async function orderNamed(
  sql: Sql,
  { madeBy, externalId }: { madeBy: number; externalId: string },
): Promise<(GeneratedOrderRow & { balanceTenths: number }) | null> {
  const [row] = await sql<GeneratedOrderRow & { balanceTenths: number }>`
    SELECT ${orderColumns}, coalesce((
      SELECT l.balance_tenths FROM credit_ledger l
      WHERE l.reseller_id = o.reseller_id AND (l.order_id = o.id AND l.reason = 'key_purchase'
        OR o.cost_tenths = 0 AND l.created_at <= o.created_at)
      ORDER BY l.id DESC LIMIT 1), 0) AS "balanceTenths"
    FROM ${ordersWithNames} WHERE o.made_by = ${madeBy} AND o.external_id = ${externalId}`;
  return row ?? null;
}

/** The order of a shop's sale, if it was delivered. */
export async function orderOfSale(sql: Sql, { shopLinkId, saleId }: Pick<NewOrder, "shopLinkId" | "saleId">) {
  return firstOf(sql<{ id: number; count: number }>`
    SELECT id, key_count AS count FROM orders WHERE shop_link_id = ${shopLinkId} AND sale_id = ${saleId}`);
}

export interface OrderFilter {
  owner: OrderOwner;
  search?: string;
  gameId?: number;
}

/** Newest first. */
export async function listOrders(
  sql: Sql,
  { owner, search, gameId }: OrderFilter,
  { after, limitPart }: Page<[number, number]>,
): Promise<OrderRow[]> {
  const older = after ? part`AND (o.created_at, o.id) < (${after[0]}, ${after[1]})` : nothing;
  const ofGame = gameId ? part`AND o.game_id = ${gameId}` : nothing;
  const found = search ? part`AND ${await foundPart(sql, owner, search)}` : nothing;
  // No index has the orders of all owners by time.
  const newestFirst = owner === "anyone" ? part`o.id DESC` : part`o.created_at DESC, o.id DESC`;
  return sql<OrderRow>`
    SELECT ${orderColumns} FROM ${ordersWithNames}
    WHERE ${ownedBy(owner)} ${found} ${ofGame} ${older} ORDER BY ${newestFirst} ${limitPart}`;
}

/** The order with this number, then the newest whose note, external id or sale id contains the text. */
export async function findOrders(sql: Sql, owner: OrderOwner, text: string, rowsMax: number): Promise<OrderRow[]> {
  const number = orderNumberIn(text);
  const numbered = number === null ? null : await orderOf(sql, owner, number);
  const page = { after: null, limit: rowsMax, limitPart: part`LIMIT ${rowsMax}` };
  const found = await listOrders(sql, { owner, search: text }, page);
  return numbered ? [numbered, ...found.filter(({ id }) => id !== numbered.id)].slice(0, rowsMax) : found;
}

/**
 * Up to this many are found first, by the index of the notes. If there are more, a walk in the list's order soon finds
 * enough for a page.
 */
const fewFoundMax = 2_000;

/** By its number, or by any part of its note or its program's name for it. */
async function foundPart(sql: Sql, owner: OrderOwner, search: string): Promise<SqlPart> {
  const number = orderNumberIn(search);
  const pattern = containing(foldedText(search));
  const few = await sql<{ id: number }>`
    SELECT o.id FROM orders o WHERE ${ownedBy(owner)}
      AND o.note_folded IS NOT NULL AND o.note_folded LIKE ${pattern} ESCAPE '\\'
    UNION ALL SELECT o.id FROM orders o WHERE ${ownedBy(owner)}
      AND o.external_id_folded IS NOT NULL AND o.external_id_folded LIKE ${pattern} ESCAPE '\\'
    UNION ALL SELECT o.id FROM orders o WHERE ${ownedBy(owner)}
      AND o.sale_id_folded IS NOT NULL AND o.sale_id_folded LIKE ${pattern} ESCAPE '\\' LIMIT ${fewFoundMax + 1}`;
  const ids = few.map(({ id }) => id);
  if (ids.length <= fewFoundMax) return part`o.id IN (${listed(number === null ? ids : [...ids, number])})`;
  // Without IS TRUE, SQLite reads and sorts everything that the index of the notes finds.
  return part`(o.id = ${number} OR (o.note_folded LIKE ${pattern} ESCAPE '\\') IS TRUE
    OR (o.external_id_folded LIKE ${pattern} ESCAPE '\\') IS TRUE
    OR (o.sale_id_folded LIKE ${pattern} ESCAPE '\\') IS TRUE)`;
}

/** The number of an order, with or without `#`. */
function orderNumberIn(text: string): number | null {
  const [, digits] = /^#?(\d{1,15})$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Returns whether anything changed. */
export async function noteOrder(sql: Sql, id: number, owner: OrderOwner, note: string | null): Promise<boolean> {
  const noted = await sql`
    UPDATE orders AS o SET note = ${note}, note_folded = ${note && foldedText(note)}
    WHERE o.id = ${id} AND ${ownedBy(owner)} AND o.note IS DISTINCT FROM ${note} RETURNING id`;
  return noted.length > 0;
}

/** A condition on `orders AS o`. */
function ownedBy(owner: OrderOwner): SqlPart {
  if (owner === "anyone") return part`1 = 1`;
  return owner === "admins" ? part`o.reseller_id IS NULL` : part`o.reseller_id = ${owner.resellerId}`;
}
