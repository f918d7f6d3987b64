import { firstOf, hasRows, nothing, part, type Sql, type SqlPart } from "../../db/contract.ts";
import type { Account, Role } from "../schema.ts";

export interface ApiKeyRow {
  id: number;
  name: string;
  lastFour: string;
  /** Separated by spaces, and so are the addresses. */
  scopes: string;
  addresses: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  limitPerDayTenths: number | null;
}

const apiKeyColumns = part`k.id, k.name, k.last_four AS "lastFour", k.scopes, k.addresses, k.created_at AS "createdAt",
  k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.limit_per_day_tenths AS "limitPerDayTenths"`;

/** In the order in which they were made. */
export async function listApiKeys(sql: Sql, accountId: number): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow>`SELECT ${apiKeyColumns} FROM api_keys k WHERE k.account_id = ${accountId} ORDER BY k.id`;
}

export interface OwnedApiKeyRow extends ApiKeyRow {
  username: string;
  role: Role;
}

/** Those of all accounts, or of one. */
export async function listEveryApiKey(sql: Sql, accountId: number | null): Promise<OwnedApiKeyRow[]> {
  const ofAccount = accountId === null ? nothing : part`WHERE k.account_id = ${accountId}`;
  return sql<OwnedApiKeyRow>`
    SELECT ${apiKeyColumns}, a.username, a.role FROM api_keys k JOIN accounts a ON a.id = k.account_id
    ${ofAccount} ORDER BY k.id`;
}

/** `id` is the account's. */
export type FoundApiKeyRow = Account &
  Pick<ApiKeyRow, "name" | "scopes" | "addresses" | "expiresAt" | "limitPerDayTenths"> & { keyId: number };

/** The API key with this hash, and its account. */
export async function apiKeyWith(sql: Sql, keyHash: string): Promise<FoundApiKeyRow | null> {
  return firstOf(sql<FoundApiKeyRow>`
    SELECT a.id, a.username, a.role, k.id AS "keyId", k.name, k.scopes, k.addresses, k.expires_at AS "expiresAt",
      k.limit_per_day_tenths AS "limitPerDayTenths"
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.key_hash = ${keyHash}`);
}

/** With `forShare` of a unit, the API key cannot be deleted before that unit is committed. */
export async function apiKeyExpiry(
  sql: Sql,
  id: number,
  forShare: SqlPart,
): Promise<Pick<ApiKeyRow, "expiresAt"> | null> {
  return firstOf(sql<Pick<ApiKeyRow, "expiresAt">>`
    SELECT expires_at AS "expiresAt" FROM api_keys WHERE id = ${id} ${forShare}`);
}

export interface NewApiKey extends Omit<ApiKeyRow, "id" | "lastUsedAt"> {
  accountId: number;
  keyHash: string;
}

/** Returns the new row's id, or null if the account has `keysMax` of them. */
export async function insertApiKey(sql: Sql, key: NewApiKey, keysMax: number): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO api_keys (account_id, name, key_hash, last_four, scopes, addresses, created_at, expires_at, limit_per_day_tenths)
    SELECT ${key.accountId}, ${key.name}, ${key.keyHash}, ${key.lastFour}, ${key.scopes}, ${key.addresses}, ${key.createdAt},
      CAST(${key.expiresAt} AS BIGINT), CAST(${key.limitPerDayTenths} AS BIGINT)
    WHERE (SELECT count(*) FROM api_keys WHERE account_id = ${key.accountId}) < ${keysMax}
    RETURNING id`;
  return row?.id ?? null;
}

/** Of one account, or of any. Returns its name and the username of its account, or null. */
export async function deleteApiKey(
  sql: Sql,
  { id, accountId }: { id: number; accountId: number | null },
): Promise<{ name: string; owner: string } | null> {
  const ofAccount = accountId === null ? nothing : part`AND account_id = ${accountId}`;
  return firstOf(sql<{ name: string; owner: string }>`
    DELETE FROM api_keys WHERE id = ${id} ${ofAccount}
    RETURNING name, (SELECT username FROM accounts WHERE id = account_id) AS owner`);
}

/** When an account is suspended or removed, or its password is reset (rules.md: API keys). */
export async function deleteApiKeysOf(sql: Sql, accountId: number): Promise<void> {
  await sql`DELETE FROM api_keys WHERE account_id = ${accountId}`;
}

export async function touchApiKey(sql: Sql, { id, at }: { id: number; at: number }): Promise<void> {
  await sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id} AND coalesce(last_used_at, 0) < ${at}`;
}

/** What an API key has spent on a UTC day, in tenths. */
export async function spentOn(sql: Sql, { id, day }: { id: number; day: number }): Promise<number> {
  const [row] = await sql<{ tenths: number }>`
    SELECT spent_tenths AS tenths FROM api_key_spending WHERE api_key_id = ${id} AND spent_day = ${day}`;
  return row?.tenths ?? 0;
}

/** Counts what an API key spends on a UTC day. Returns false and counts nothing if that is beyond its limit. */
export async function countSpent(
  sql: Sql,
  { id, day, tenths, limitTenths }: { id: number; day: number; tenths: number; limitTenths: number },
): Promise<boolean> {
  if (tenths > limitTenths) return false;
  const spentBefore = part`CASE WHEN s.spent_day = excluded.spent_day THEN s.spent_tenths ELSE 0 END`;
  return hasRows(sql`
    INSERT INTO api_key_spending AS s (api_key_id, spent_day, spent_tenths) VALUES (${id}, ${day}, ${tenths})
    ON CONFLICT (api_key_id) DO UPDATE SET
      spent_day = excluded.spent_day, spent_tenths = ${spentBefore} + excluded.spent_tenths
    WHERE ${spentBefore} + excluded.spent_tenths <= ${limitTenths} RETURNING api_key_id`);
}
