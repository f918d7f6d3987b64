import { firstOf, hasRows, nothing, part, type Sql } from "../db/contract.ts";
import type { Role, SessionUser } from "./schema.ts";

/** `knownBy` is the device or else the address that the account has signed in with since `knownSince`, if any. */
export interface AccountRow extends SessionUser {
  passwordHash: string;
  isActive: number;
  knownBy: string | null;
}

/** Addresses kept for each account, those of devices included. */
const knownAddressesMax = 20;

/** A browser stands among the addresses of an account under its device cookie. No IP address begins like this. */
export const devicePrefix = "device ";

/** Where a person is: the address, and the browser, if it has signed in before. */
export interface Place {
  address: string;
  device: string | null;
}

export async function accountNamed(
  sql: Sql,
  { role, username, address, device, knownSince }: Place & { role: Role; username: string; knownSince: number },
): Promise<AccountRow | null> {
  return firstOf(sql<AccountRow>`
    SELECT a.id, a.username, a.role, a.password_hash AS "passwordHash", coalesce(r.is_active, 1) AS "isActive",
      (SELECT k.address FROM known_addresses k
       WHERE k.account_id = a.id AND k.address IN (${address}, ${device}) AND k.last_used_at > ${knownSince}
       ORDER BY CASE WHEN k.address = ${address} THEN 1 ELSE 0 END LIMIT 1) AS "knownBy"
    FROM accounts a LEFT JOIN resellers r ON r.id = a.id
    WHERE lower(a.username) = ${username.toLowerCase()} AND a.removed_at IS NULL AND a.role = ${role}`);
}

/** Finds an account by its name in any case. Without `role`, in either role. */
export async function userNamed(
  sql: Sql,
  { username, role }: { username: string; role?: Role },
): Promise<SessionUser | null> {
  const inRole = role ? part`AND role = ${role}` : nothing;
  return firstOf(sql<SessionUser>`
    SELECT id, username, role FROM accounts
    WHERE lower(username) = ${username.toLowerCase()} AND removed_at IS NULL ${inRole}`);
}

/** Returns the new account's id, or null if the name is taken in any case or role. */
export async function insertAccount(
  sql: Sql,
  { role, username, passwordHash, at }: { role: Role; username: string; passwordHash: string; at: number },
): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES (${role}, ${username}, ${passwordHash}, ${at})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

/** Returns false if the password has been changed since. */
export async function changePassword(
  sql: Sql,
  { accountId, from, to }: { accountId: number; from: string; to: string },
): Promise<boolean> {
  return hasRows(sql`
    UPDATE accounts SET password_hash = ${to} WHERE id = ${accountId} AND password_hash = ${from} RETURNING id`);
}

export async function setPassword(sql: Sql, accountId: number, passwordHash: string): Promise<void> {
  await sql`UPDATE accounts SET password_hash = ${passwordHash} WHERE id = ${accountId}`;
}

export async function hasAdmin(sql: Sql): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM accounts WHERE role = 'admin' AND removed_at IS NULL LIMIT 1`);
}

export interface AdminRow {
  username: string;
  createdAt: number;
  hasTwoFactor: number;
}

export async function listAdmins(sql: Sql): Promise<AdminRow[]> {
  return sql<AdminRow>`
    SELECT a.username, a.created_at AS "createdAt",
      (SELECT count(*) FROM two_factor f WHERE f.account_id = a.id AND f.enabled_at IS NOT NULL) AS "hasTwoFactor"
    FROM accounts a WHERE a.role = 'admin' AND a.removed_at IS NULL ORDER BY a.id`;
}

/** Removes an admin and returns whether it did: the last one stays. The row is kept for its references. */
export async function removeAdmin(sql: Sql, { id, at }: { id: number; at: number }): Promise<boolean> {
  return hasRows(sql`
    UPDATE accounts SET removed_at = ${at}
    WHERE id = ${id} AND role = 'admin' AND removed_at IS NULL
      AND (SELECT count(*) FROM accounts WHERE role = 'admin' AND removed_at IS NULL) > 1
    RETURNING id`);
}

/** Keeps only addresses that were used since `knownSince`, and of those only the latest. */
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

/** Removes an account's webhooks, with their deliveries. */
export async function deleteWebhooksOf(sql: Sql, accountId: number): Promise<void> {
  await sql`DELETE FROM webhooks WHERE account_id = ${accountId}`;
}

/**
 * Forgets the addresses and devices that an account signed in with, except those of one place, and returns how many.
 */
export async function forgetAddresses(
  sql: Sql,
  accountId: number,
  { address, device }: Place = { address: "", device: null },
): Promise<number> {
  const rows = await sql`
    DELETE FROM known_addresses WHERE account_id = ${accountId} AND address NOT IN (${address}, ${device ?? ""})
    RETURNING 1 AS forgotten`;
  return rows.length;
}

/** Forgets the addresses that an account signed in from, but not its devices. */
export async function forgetAllButDevices(sql: Sql, accountId: number): Promise<void> {
  await sql`DELETE FROM known_addresses WHERE account_id = ${accountId} AND address NOT LIKE ${`${devicePrefix}%`}`;
}
