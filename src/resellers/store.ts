import type { Account } from "../accounts/schema.ts";
import { foldedText } from "../core/text.ts";
import { containing, nothing, part, type Sql } from "../db/contract.ts";
import { type Page, type SortColumn, sortedPart } from "../db/paging.ts";
import type { ResellerSort } from "./schema.ts";

export interface ResellerRow {
  id: number;
  username: string;
  createdAt: number;
  creditsTenths: number;
  totalKeys: number;
  isActive: number;
  suspensionReason: string | null;
  priceListId: number;
}

export async function insertReseller(sql: Sql, id: number): Promise<void> {
  await sql`INSERT INTO resellers (id) VALUES (${id})`;
}

/** Returns whether anything changed: the reseller may be suspended already. */
export async function suspend(sql: Sql, id: number, reason: string | null): Promise<boolean> {
  const rows = await sql`
    UPDATE resellers SET is_active = 0, suspension_reason = ${reason} WHERE id = ${id} AND is_active = 1 RETURNING id`;
  return rows.length === 1;
}

/** Returns whether anything changed. The audit log keeps the reason of the suspension. */
export async function reactivate(sql: Sql, id: number): Promise<boolean> {
  const rows = await sql`
    UPDATE resellers SET is_active = 1, suspension_reason = NULL WHERE id = ${id} AND is_active = 0 RETURNING id`;
  return rows.length === 1;
}

const resellerColumns = part`a.id, a.username, a.created_at AS "createdAt", r.credits_tenths AS "creditsTenths",
  r.key_count AS "totalKeys", r.is_active AS "isActive", r.suspension_reason AS "suspensionReason",
  r.price_list_id AS "priceListId"`;

export async function resellerById(sql: Sql, id: number): Promise<ResellerRow | null> {
  const [row] = await sql<ResellerRow>`
    SELECT ${resellerColumns} FROM resellers r JOIN accounts a ON a.id = r.id WHERE r.id = ${id}`;
  return row ?? null;
}

/** Reads no row that a purchase changes, so a unit that needs only the name does not conflict with one. */
export async function resellerAccount(sql: Sql, id: number): Promise<Account | null> {
  const [row] = await sql<Account>`
    SELECT a.id, a.username, a.role FROM accounts a WHERE a.id = ${id} AND a.role = 'reseller'
      AND NOT EXISTS (SELECT 1 FROM staff f WHERE f.id = a.id)`;
  return row ?? null;
}

/** By a part of the username. An exact match comes first, then names that begin with the text. */
export async function findResellers(sql: Sql, text: string, rowsMax: number): Promise<ResellerRow[]> {
  const name = foldedText(text);
  return sql<ResellerRow>`
    SELECT ${resellerColumns} FROM resellers r JOIN accounts a ON a.id = r.id
    WHERE lower(a.username) LIKE ${containing(name)} ESCAPE '\\'
    ORDER BY CASE WHEN lower(a.username) = ${name} THEN 0
      WHEN lower(a.username) LIKE ${containing(name).slice(1)} ESCAPE '\\' THEN 1 ELSE 2 END, lower(a.username)
    LIMIT ${rowsMax}`;
}

export interface ResellerFilter {
  search: string | undefined;
  isActive: boolean | null;
  sort: ResellerSort;
  descending: boolean;
}

/** The value that the list is sorted by, which is also in the cursor. */
export function sortValueOf(row: ResellerRow, sort: ResellerSort): string | number {
  if (sort === "username") return row.username.toLowerCase();
  if (sort === "credits") return row.creditsTenths;
  return sort === "keys" ? row.totalKeys : row.createdAt;
}

export const sortColumns: Record<ResellerSort, SortColumn> = {
  username: { column: part`lower(a.username)`, id: part`a.id`, holds: "text" },
  registered: { column: part`a.created_at`, id: part`a.id`, holds: "numbers" },
  credits: { column: part`r.credits_tenths`, id: part`r.id`, holds: "numbers" },
  keys: { column: part`r.key_count`, id: part`r.id`, holds: "numbers" },
};

export async function listResellers(
  sql: Sql,
  { search, isActive, sort, descending }: ResellerFilter,
  page: Page<[string | number, number]>,
): Promise<ResellerRow[]> {
  const active = isActive === null ? nothing : part`AND r.is_active = ${isActive ? 1 : 0}`;
  const named = search ? part`AND lower(a.username) LIKE ${containing(foldedText(search))} ESCAPE '\\'` : nothing;
  return sql<ResellerRow>`
    SELECT ${resellerColumns} FROM resellers r JOIN accounts a ON a.id = r.id
    WHERE 1 = 1 ${active} ${named} ${sortedPart(sortColumns[sort], descending, page)}`;
}
