import type { Sql } from "../database/database.ts";
import type { Role, SessionUser } from "./schema.ts";

/** What a sign-in is decided on. `knownAddress` is 1 when the account signed in from that address since it was asked for. */
export interface SignInRow extends SessionUser {
  passwordHash: string;
  isActive: number;
  knownAddress: number;
}

export interface SessionRow extends SessionUser {
  lastSeenAt: number;
}

/** How many addresses an account is remembered to have signed in from. */
const knownAddressesMax = 20;

export async function accountForSignIn(
  sql: Sql,
  { role, username, address, knownSince }: { role: Role; username: string; address: string; knownSince: number },
): Promise<SignInRow | null> {
  const [row] = await sql<SignInRow>`
    SELECT a.id, a.username, a.role, a.password_hash AS "passwordHash", coalesce(r.is_active, 1) AS "isActive",
      (SELECT count(*) FROM known_addresses k
       WHERE k.account_id = a.id AND k.address = ${address} AND k.last_used_at > ${knownSince}) AS "knownAddress"
    FROM accounts a LEFT JOIN resellers r ON r.id = a.id
    WHERE lower(a.username) = ${username.toLowerCase()} AND a.role = ${role}`;
  return row ?? null;
}

export async function liveSession(
  sql: Sql,
  { id, seenAfter, createdAfter }: { id: string; seenAfter: number; createdAfter: number },
): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow>`
    SELECT a.id, a.username, a.role, s.last_seen_at AS "lastSeenAt"
    FROM sessions s JOIN accounts a ON a.id = s.account_id LEFT JOIN resellers r ON r.id = a.id
    WHERE s.id = ${id} AND s.last_seen_at > ${seenAfter} AND s.created_at > ${createdAfter}
      AND coalesce(r.is_active, 1) = 1`;
  return row ?? null;
}

/**
 * Opens a session, unless the account was suspended or its password changed since it was looked up: answers whether it
 * did. Both are decided in the insert itself, so a suspension that ends all sessions cannot be overtaken by a sign-in.
 */
export async function openSession(
  sql: Sql,
  { id, account, at }: { id: string; account: SignInRow; at: number },
): Promise<boolean> {
  const opened = await sql<{ id: string }>`
    INSERT INTO sessions (id, account_id, created_at, last_seen_at)
    SELECT ${id}, a.id, ${at}, ${at} FROM accounts a LEFT JOIN resellers r ON r.id = a.id
    WHERE a.id = ${account.id} AND a.password_hash = ${account.passwordHash} AND coalesce(r.is_active, 1) = 1
    RETURNING id`;
  return opened.length === 1;
}

/** Of an account's addresses only those are kept that were used since, and of them only the latest. */
export async function rememberAddress(
  sql: Sql,
  { accountId, address, at, knownSince }: { accountId: number; address: string; at: number; knownSince: number },
): Promise<void> {
  await sql`
    INSERT INTO known_addresses (account_id, address, last_used_at) VALUES (${accountId}, ${address}, ${at})
    ON CONFLICT (account_id, address) DO UPDATE SET last_used_at = excluded.last_used_at`;
  await sql`
    DELETE FROM known_addresses WHERE account_id = ${accountId} AND (last_used_at <= ${knownSince} OR address NOT IN (
      SELECT address FROM known_addresses WHERE account_id = ${accountId} ORDER BY last_used_at DESC LIMIT ${knownAddressesMax}))`;
}

export async function forgetAddressesOf(sql: Sql, accountId: number): Promise<void> {
  await sql`DELETE FROM known_addresses WHERE account_id = ${accountId}`;
}

export async function touchSession(sql: Sql, id: string, now: number): Promise<void> {
  await sql`UPDATE sessions SET last_seen_at = ${now} WHERE id = ${id} AND last_seen_at < ${now}`;
}

export async function closeSession(sql: Sql, id: string): Promise<void> {
  await sql`DELETE FROM sessions WHERE id = ${id}`;
}

export async function closeSessionsOf(sql: Sql, accountId: number): Promise<void> {
  await sql`DELETE FROM sessions WHERE account_id = ${accountId}`;
}

export async function forgetStaleSessions(sql: Sql, seenBefore: number): Promise<void> {
  await sql`DELETE FROM sessions WHERE last_seen_at <= ${seenBefore}`;
}

/** Answers the new account's id, or `null` when the name is taken in any case or role. */
export async function insertAccount(
  sql: Sql,
  account: { role: Role; username: string; passwordHash: string; createdAt: number },
): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO accounts (role, username, password_hash, created_at)
    VALUES (${account.role}, ${account.username}, ${account.passwordHash}, ${account.createdAt})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

export async function isUsernameTaken(sql: Sql, username: string): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM accounts WHERE lower(username) = ${username.toLowerCase()}`;
  return rows.length > 0;
}

export async function hasAdmin(sql: Sql): Promise<boolean> {
  return (await sql`SELECT 1 FROM accounts WHERE role = 'admin' LIMIT 1`).length > 0;
}

/** Answers the id of the admin whose password was set, or `null` when there is no such admin. */
export async function setAdminPassword(sql: Sql, username: string, passwordHash: string): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    UPDATE accounts SET password_hash = ${passwordHash}
    WHERE lower(username) = ${username.toLowerCase()} AND role = 'admin' RETURNING id`;
  return row?.id ?? null;
}
