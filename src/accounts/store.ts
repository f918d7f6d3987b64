import { firstOf, hasRows, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { OwnSession } from "./account-schema.ts";
import { isOn, scopesIn, type UserRow, userColumns, userOf, withStaff } from "./account-store.ts";
import type { Rights, Role, SessionUser } from "./schema.ts";

/** `id` is the account's, `sessionId` the session's public one. */
export interface ViewerRow extends UserRow {
  sessionId: number;
  lastSeenAt: number;
}

/** The times since which a live session must have been seen and opened. */
export interface LiveSince {
  seenAfter: number;
  createdAfter: number;
}

export async function viewerOf(
  sql: Sql,
  { secret, seenAfter, createdAfter }: { secret: string } & LiveSince,
): Promise<ViewerRow | null> {
  return firstOf(sql<ViewerRow>`
    SELECT ${userColumns}, s.id AS "sessionId", s.last_seen_at AS "lastSeenAt"
    FROM sessions s JOIN accounts a ON a.id = s.account_id ${withStaff}
    WHERE s.secret = ${secret} AND s.last_seen_at > ${seenAfter} AND s.created_at > ${createdAfter} AND ${isOn}`);
}

export async function accountOf(sql: Sql, secret: string): Promise<SessionUser | null> {
  const row = await firstOf(sql<UserRow>`
    SELECT ${userColumns} FROM sessions s JOIN accounts a ON a.id = s.account_id ${withStaff} WHERE s.secret = ${secret}`);
  return row && userOf(row);
}

/** The rights of a staff account. With `forShare` of a unit, none can be withdrawn before that unit is committed. */
export async function rightsOf(sql: Sql, id: number, forShare: SqlPart): Promise<Rights> {
  const row = await firstOf(sql<{ rights: string }>`SELECT rights FROM staff WHERE id = ${id} ${forShare}`);
  return row ? scopesIn(row.rights) : [];
}

/** With `forShare` of a unit, the session cannot end before that unit is committed. */
export async function isOpen(sql: Sql, id: number, forShare: SqlPart = nothing): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM sessions WHERE id = ${id} ${forShare}`);
}

/** The sealed secret of a shop link, null unless it is on and its account not suspended. `forShare` as in `isOpen`. */
export async function sellingSecret(sql: Sql, id: number, forShare: SqlPart): Promise<string | null> {
  const row = await firstOf(sql<{ sealedSecret: string }>`
    SELECT sealed_secret AS "sealedSecret" FROM shop_links
    WHERE id = ${id} AND is_active = 1 AND is_suspended = 0 ${forShare}`);
  return row?.sealedSecret ?? null;
}

/** When the password of an account is reset. */
export async function switchOffShopLinksOf(sql: Sql, accountId: number): Promise<void> {
  await sql`UPDATE shop_links SET is_active = 0 WHERE account_id = ${accountId}`;
}

/** Returns false for suspended resellers, and for other accounts. */
export async function isActiveReseller(sql: Sql, id: number): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM resellers WHERE id = ${id} AND is_active = 1`);
}

export interface SessionRow extends Pick<OwnSession, "id" | "address" | "userAgent"> {
  createdAt: number;
  lastSeenAt: number;
}

/** One more ends the oldest. */
export const sessionsPerAccountMax = 100;

/** The live sessions of an account, newest first. */
export async function listSessions(
  sql: Sql,
  { accountId, seenAfter, createdAfter }: { accountId: number } & LiveSince,
): Promise<SessionRow[]> {
  return sql<SessionRow>`
    SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt", address, user_agent AS "userAgent"
    FROM sessions WHERE account_id = ${accountId} AND last_seen_at > ${seenAfter} AND created_at > ${createdAfter}
    ORDER BY id DESC LIMIT ${sessionsPerAccountMax}`;
}

/**
 * Opens a session, unless the account was suspended, switched off or removed, or its password changed, since it was read. Returns
 * whether it did. All this is decided in the insert itself, so a sign-in cannot overtake a change that ends all
 * sessions.
 */
export async function openSession(
  sql: Sql,
  account: { id: number; passwordHash: string },
  session: { secret: string; at: number; address: string; userAgent: string | null },
): Promise<boolean> {
  const { secret, at, address, userAgent } = session;
  return hasRows(sql`
    INSERT INTO sessions (secret, account_id, created_at, last_seen_at, address, user_agent)
    SELECT ${secret}, a.id, ${at}, ${at}, ${address}, ${userAgent} FROM accounts a ${withStaff}
    WHERE a.id = ${account.id} AND a.password_hash = ${account.passwordHash} AND a.removed_at IS NULL AND ${isOn}
    RETURNING id`);
}

export async function touchSession(sql: Sql, { id, at }: { id: number; at: number }): Promise<void> {
  await sql`UPDATE sessions SET last_seen_at = ${at} WHERE id = ${id} AND last_seen_at < ${at}`;
}

/* Each of these returns the ids of the sessions that it ended, whose sockets are closed after the commit. */

export async function endSessionWith(sql: Sql, secret: string): Promise<number[]> {
  return idsOf(await sql`DELETE FROM sessions WHERE secret = ${secret} RETURNING id`);
}

export async function endSession(sql: Sql, { id, accountId }: { id: number; accountId: number }): Promise<number[]> {
  return idsOf(await sql`DELETE FROM sessions WHERE id = ${id} AND account_id = ${accountId} RETURNING id`);
}

/** Ends all sessions of an account, except one if it is given. */
export async function endSessionsOf(
  sql: Sql,
  { accountId, exceptId }: { accountId: number; exceptId?: number },
): Promise<number[]> {
  const others = exceptId === undefined ? nothing : part`AND id <> ${exceptId}`;
  return idsOf(await sql`DELETE FROM sessions WHERE account_id = ${accountId} ${others} RETURNING id`);
}

/** Ends all sessions of a reseller and of its staff. */
export async function endSessionsOfReseller(sql: Sql, resellerId: number): Promise<number[]> {
  return idsOf(
    await sql`
    DELETE FROM sessions WHERE account_id IN (
      SELECT CAST(${resellerId} AS BIGINT) UNION ALL SELECT id FROM staff WHERE owner_id = ${resellerId}) RETURNING id`,
  );
}

export async function endStaleSessions(sql: Sql, { seenAfter, createdAfter }: LiveSince): Promise<number[]> {
  return idsOf(
    await sql`DELETE FROM sessions WHERE last_seen_at <= ${seenAfter} OR created_at <= ${createdAfter} RETURNING id`,
  );
}

export async function endOldestSessions(sql: Sql, accountId: number): Promise<number[]> {
  return idsOf(
    await sql`
    DELETE FROM sessions WHERE account_id = ${accountId} AND id <= (
      SELECT id FROM sessions WHERE account_id = ${accountId} ORDER BY id DESC LIMIT 1 OFFSET ${sessionsPerAccountMax})
    RETURNING id`,
  );
}

function idsOf(rows: unknown[]): number[] {
  return (rows as { id: number }[]).map(({ id }) => id);
}

interface NewRecord {
  at: number;
  action: string;
  /** All three are null where no account made the change. */
  actorId: number | null;
  actorUsername: string | null;
  actorRole: Role | null;
  target: string;
  address: string | null;
  /** JSON. */
  details: string;
}

/** Writes one row of the audit log, in the transaction of the change. `src/audit` reads them. */
export async function insertRecord(sql: Sql, row: NewRecord): Promise<void> {
  await sql`
    INSERT INTO audit (at, action, actor_id, actor_username, actor_role, target, address, details)
    VALUES (${row.at}, ${row.action}, ${row.actorId}, ${row.actorUsername}, ${row.actorRole}, ${row.target}, ${row.address},
      ${row.details})`;
}

/** The response to the request with an account's Idempotency-Key. */
export interface RememberedResponse {
  accountId: number;
  idempotencyKey: string;
  /** A different request with the same key is a mistake. */
  requestHash: string;
  /** As JSON. */
  response: string;
  at: number;
}

/** Ignores responses that were remembered at `forgottenAt` or before. */
export async function rememberedResponse(
  sql: Sql,
  { accountId, idempotencyKey }: Pick<RememberedResponse, "accountId" | "idempotencyKey">,
  forgottenAt: number,
): Promise<Pick<RememberedResponse, "requestHash" | "response"> | null> {
  return firstOf(sql<Pick<RememberedResponse, "requestHash" | "response">>`
    SELECT request_hash AS "requestHash", answer AS response FROM idempotency_keys
    WHERE account_id = ${accountId} AND idempotency_key = ${idempotencyKey} AND created_at > ${forgottenAt}`);
}

/** Replaces a forgotten response under the same key. */
export async function rememberResponse(
  sql: Sql,
  { accountId, idempotencyKey, requestHash, response, at }: RememberedResponse,
): Promise<void> {
  await sql`
    INSERT INTO idempotency_keys (account_id, idempotency_key, request_hash, answer, created_at)
    VALUES (${accountId}, ${idempotencyKey}, ${requestHash}, ${response}, ${at})
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET
      request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`;
}

/** Each purchase adds one response and erases up to this many, so there are never more than a day's. */
const erasedAtOnce = 20;

/** Erases some of the responses that were remembered at `forgottenAt` or before. */
export async function eraseForgotten(sql: Sql, forgottenAt: number): Promise<void> {
  await sql`
    DELETE FROM idempotency_keys WHERE (account_id, idempotency_key) IN (
      SELECT account_id, idempotency_key FROM idempotency_keys
      WHERE created_at <= ${forgottenAt} ORDER BY created_at LIMIT ${erasedAtOnce})`;
}
