import { firstOf, part, type Sql, type SqlPart } from "../../db/contract.ts";
import type { Role } from "../schema.ts";
import type { LiveSince } from "../store.ts";

/** Whose staff: a reseller's id, or null for the admins'. */
export type StaffOwner = number | null;

/** What its owner decides. The rights are separated by spaces. */
export interface Terms {
  rights: string;
  limitPerDayTenths: number | null;
  isActive: number;
}

export interface StaffRow extends Terms {
  id: number;
  username: string;
  hasTwoFactor: number;
  createdAt: number;
  lastSeenAt: number | null;
}

type NewStaff = Omit<Terms, "isActive"> & { id: number; role: Role; ownerId: StaffOwner };

/** In the order in which they were made, without removed ones. */
export async function listStaff(sql: Sql, ownerId: StaffOwner, live: LiveSince): Promise<StaffRow[]> {
  return sql<StaffRow>`SELECT ${columnsWith(live)} FROM ${staffOf(ownerId)} ORDER BY f.id`;
}

export async function staffAccount(
  sql: Sql,
  { id, ownerId }: { id: number; ownerId: StaffOwner },
  live: LiveSince,
): Promise<StaffRow | null> {
  return firstOf(sql<StaffRow>`SELECT ${columnsWith(live)} FROM ${staffOf(ownerId)} AND f.id = ${id}`);
}

export async function countStaff(sql: Sql, ownerId: StaffOwner): Promise<number> {
  const [row] = await sql<{ count: number }>`SELECT count(*) AS count FROM ${staffOf(ownerId)}`;
  return row?.count ?? 0;
}

function columnsWith({ seenAfter, createdAfter }: LiveSince): SqlPart {
  return part`f.id, a.username, f.rights, f.limit_per_day_tenths AS "limitPerDayTenths", f.is_active AS "isActive",
    a.created_at AS "createdAt",
    (SELECT count(*) FROM two_factor t WHERE t.account_id = f.id AND t.enabled_at IS NOT NULL) AS "hasTwoFactor",
    (SELECT max(s.last_seen_at) FROM sessions s
     WHERE s.account_id = f.id AND s.last_seen_at > ${seenAfter} AND s.created_at > ${createdAfter}) AS "lastSeenAt"`;
}

function staffOf(ownerId: StaffOwner): SqlPart {
  const owned = ownerId === null ? part`f.owner_id IS NULL` : part`f.owner_id = ${ownerId}`;
  return part`staff f JOIN accounts a ON a.id = f.id WHERE ${owned} AND a.removed_at IS NULL`;
}

/** A new account is on. */
export async function insertStaff(sql: Sql, staff: NewStaff): Promise<void> {
  await sql`
    INSERT INTO staff (id, role, owner_id, rights, limit_per_day_tenths)
    VALUES (${staff.id}, ${staff.role}, ${staff.ownerId}, ${staff.rights}, ${staff.limitPerDayTenths})`;
}

export async function changeStaff(sql: Sql, id: number, { rights, limitPerDayTenths, isActive }: Terms): Promise<void> {
  await sql`
    UPDATE staff SET rights = ${rights}, limit_per_day_tenths = ${limitPerDayTenths}, is_active = ${isActive}
    WHERE id = ${id}`;
}
