import { normalCasedText, normalKeyText } from "../core/key-text.ts";
import { foldedText } from "../core/text.ts";
import { containing, firstOf, hasRows, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import type { Token } from "./schema.ts";

export interface TokenRow extends Pick<Token, "id" | "token" | "usedBy" | "label"> {
  createdAt: number;
  creditsTenths: number;
}

const tokenColumns = part`t.id, t.token, t.created_at AS "createdAt", a.username AS "usedBy",
  t.credits_tenths AS "creditsTenths", t.label`;
const tokensWithUsers = part`referral_tokens t LEFT JOIN accounts a ON a.id = t.used_by`;

/** Finds a token by its text, with the username that used it, if any. */
export async function tokenNamed(sql: Sql, token: string): Promise<{ usedBy: string | null } | null> {
  return firstOf(sql<{ usedBy: string | null }>`
    SELECT a.username AS "usedBy" FROM referral_tokens t LEFT JOIN accounts a ON a.id = t.used_by WHERE t.token = ${token}`);
}

export async function insertToken(
  sql: Sql,
  token: Omit<TokenRow, "id" | "usedBy"> & { createdBy: number },
): Promise<number> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by, label, label_folded)
    VALUES (${token.token}, ${token.creditsTenths}, ${token.createdAt}, ${token.createdBy}, ${token.label},
      ${token.label && foldedText(token.label)}) RETURNING id`;
  return (row as { id: number }).id;
}

export type RedeemedToken = Pick<TokenRow, "id" | "creditsTenths">;

/** Marks a free token as used and returns its bonus, or null if it is used or unknown. */
export async function takeToken(
  sql: Sql,
  token: string,
  resellerId: number,
  at: number,
): Promise<RedeemedToken | null> {
  const [row] = await sql<RedeemedToken>`
    UPDATE referral_tokens SET used_by = ${resellerId}, used_at = ${at}
    WHERE token = ${token} AND used_by IS NULL RETURNING id, credits_tenths AS "creditsTenths"`;
  return row ?? null;
}

/** Deletes a free token and returns its bonus, or null if it is used or unknown. Its id is never used again. */
export async function deleteFreeToken(sql: Sql, id: number): Promise<{ creditsTenths: number } | null> {
  return firstOf(sql<{ creditsTenths: number }>`
    DELETE FROM referral_tokens WHERE id = ${id} AND used_by IS NULL RETURNING credits_tenths AS "creditsTenths"`);
}

export async function isToken(sql: Sql, id: number): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM referral_tokens WHERE id = ${id}`);
}

/** By a part of the text, case-sensitive, or of the label. */
export async function findTokens(sql: Sql, text: string, rowsMax: number): Promise<TokenRow[]> {
  return sql<TokenRow>`
    SELECT ${tokenColumns} FROM ${tokensWithUsers}
    WHERE t.token LIKE ${containing(normalCasedText(text) || text)} ESCAPE '\\' OR ${labelledWith(text)} ORDER BY t.id DESC LIMIT ${rowsMax}`;
}

export interface TokenFilter {
  isUsed: boolean | null;
  search: string | undefined;
}

export async function listTokens(sql: Sql, { isUsed, search }: TokenFilter, page: Page<[number]>): Promise<TokenRow[]> {
  const lower = foldedText(search ?? "");
  const found = search
    ? part`AND (lower(t.token) LIKE ${containing(normalKeyText(search) || lower)} ESCAPE '\\'
        OR lower(a.username) LIKE ${containing(lower)} ESCAPE '\\'
        OR ${labelledWith(search)})`
    : nothing;
  const after = page.after ? part`AND t.id < ${page.after[0]}` : nothing;
  return sql<TokenRow>`
    SELECT ${tokenColumns} FROM ${tokensWithUsers}
    WHERE 1 = 1 ${usedPart(isUsed)} ${found} ${after} ORDER BY t.id DESC ${page.limitPart}`;
}

function labelledWith(text: string): SqlPart {
  return part`t.label_folded LIKE ${containing(foldedText(text))} ESCAPE '\\'`;
}

function usedPart(isUsed: boolean | null): SqlPart {
  if (isUsed === null) return nothing;
  return isUsed ? part`AND t.used_by IS NOT NULL` : part`AND t.used_by IS NULL`;
}
