import { Refusal } from "../core/refusal.ts";
import { firstOf, hasRows, nothing, part, type Sql } from "../db/contract.ts";
import type { Account, Rights, Role, SessionUser } from "./schema.ts";

/** What `userColumns` select. The rights are separated by spaces. */
export interface UserRow extends Account {
  rights: string | null;
  ownerId: number | null;
  ownerName: string | null;
}

/** `knownBy` is the device or else the address that the account has signed in with since `knownSince`, if any. */
export interface AccountRow extends UserRow {
  passwordHash: string;
  /** False for suspended resellers and their staff. */
  isActive: number;
  /** Whether a staff account is switched off. */
  isOff: number;
  knownBy: string | null;
}

export const userColumns = part`a.id, a.username, a.role, f.rights, f.owner_id AS "ownerId",
  (SELECT o.username FROM accounts o WHERE o.id = f.owner_id) AS "ownerName"`;

/** Joins to `accounts AS a` its staff row, if any, and its reseller: the account itself, or the owner of staff. */
export const withStaff = part`LEFT JOIN staff f ON f.id = a.id LEFT JOIN resellers r ON r.id = coalesce(f.owner_id, a.id)`;

/** Of an account `withStaff`: whether it may sign in. */
export const isOn = part`coalesce(r.is_active, 1) = 1 AND coalesce(f.is_active, 1) = 1`;

export function userOf({ id, username, role, rights, ownerId, ownerName }: UserRow): SessionUser {
  const owner = ownerId === null || ownerName === null ? null : { id: ownerId, username: ownerName };
  return { id, username, role, rights: rights === null ? null : scopesIn(rights), owner };
}

export function scopesIn(text: string): Rights {
  return text.split(" ") as Rights;
}

/** A condition on `accounts AS a`. */
export const isFull = part`NOT EXISTS (SELECT 1 FROM staff f WHERE f.id = a.id)`;

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
    SELECT ${userColumns}, a.password_hash AS "passwordHash", coalesce(r.is_active, 1) AS "isActive",
      1 - coalesce(f.is_active, 1) AS "isOff",
      (SELECT k.address FROM known_addresses k
       WHERE k.account_id = a.id AND k.address IN (${address}, ${device}) AND k.last_used_at > ${knownSince}
       ORDER BY CASE WHEN k.address = ${address} THEN 1 ELSE 0 END LIMIT 1) AS "knownBy"
    FROM accounts a ${withStaff}
    WHERE lower(a.username) = ${username.toLowerCase()} AND a.removed_at IS NULL AND a.role = ${role}`);
}

/** Finds an account by its name in any case. With `role`, only full accounts of that role; without, staff too. */
export async function userNamed(
  sql: Sql,
  { username, role }: { username: string; role?: Role },
): Promise<SessionUser | null> {
  const inRole = role ? part`AND a.role = ${role} AND f.id IS NULL` : nothing;
  const row = await firstOf(sql<UserRow>`
    SELECT ${userColumns} FROM accounts a ${withStaff}
    WHERE lower(a.username) = ${username.toLowerCase()} AND a.removed_at IS NULL ${inRole}`);
  return row && userOf(row);
}

export const nameTaken = { path: "username", message: "This username is already taken." };

export function usernameTaken(): Refusal {
  return new Refusal("USERNAME_TAKEN", nameTaken.message, { errors: [nameTaken] });
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
  return hasRows(sql`SELECT 1 FROM ${fullAdmins} LIMIT 1`);
}

const fullAdmins = part`accounts a WHERE a.role = 'admin' AND a.removed_at IS NULL AND ${isFull}`;

export interface AdminRow extends UserRow {
  createdAt: number;
  hasTwoFactor: number;
}

export async function listAdminsAndStaff(sql: Sql): Promise<AdminRow[]> {
  return sql<AdminRow>`
    SELECT ${userColumns}, a.created_at AS "createdAt",
      (SELECT count(*) FROM two_factor t WHERE t.account_id = a.id AND t.enabled_at IS NOT NULL) AS "hasTwoFactor"
    FROM accounts a ${withStaff}
    WHERE a.removed_at IS NULL AND (a.role = 'admin' OR f.id IS NOT NULL)
    ORDER BY CASE WHEN f.id IS NULL THEN 0 ELSE 1 END, a.id`;
}

/** The full admin in whose name the command line acts: the first. */
export async function firstAdmin(sql: Sql): Promise<Account | null> {
  return firstOf(sql<Account>`SELECT a.id, a.username, a.role FROM ${fullAdmins} ORDER BY a.id LIMIT 1`);
}

/** Removes an account and returns whether it did: the last full admin stays. The row is kept for its references. */
export async function removeUnlessLast(sql: Sql, { id, at }: { id: number; at: number }): Promise<boolean> {
  return hasRows(sql`
    UPDATE accounts SET removed_at = ${at}
    WHERE id = ${id} AND removed_at IS NULL
      AND EXISTS (SELECT 1 FROM staff f WHERE f.id = ${id} UNION ALL SELECT 1 FROM ${fullAdmins} AND a.id <> ${id})
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

/** Removes an account's shop links, with what shops asked for. */
export async function deleteShopLinksOf(sql: Sql, accountId: number): Promise<void> {
  await sql`
    DELETE FROM shop_sales WHERE shop_link_id IN (SELECT id FROM shop_links WHERE account_id = ${accountId})`;
  await sql`DELETE FROM shop_links WHERE account_id = ${accountId}`;
}

/** They sell nothing while their account is suspended. */
export async function suspendShopLinksOf(sql: Sql, accountId: number, isSuspended: boolean): Promise<void> {
  await sql`UPDATE shop_links SET is_suspended = ${isSuspended ? 1 : 0} WHERE account_id = ${accountId}`;
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

/** Switches a reseller's staff off, because an admin has reset the reseller's password. */
export async function switchOffStaffOf(sql: Sql, resellerId: number): Promise<void> {
  await sql`UPDATE staff SET is_active = 0 WHERE owner_id = ${resellerId} AND is_active = 1`;
}
