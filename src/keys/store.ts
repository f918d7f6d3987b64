import { containing, nothing, part, type Sql, type SqlPart } from "../database/database.ts";
import type { Page } from "../database/paging.ts";
import { foldedText, lookAlikePattern, lookAlikeText } from "./folded-text.ts";
import type { Game } from "./games.ts";
import type { KeySort, KeyStatus } from "./schema.ts";
import { hasStatus } from "./status.ts";

export interface KeyRow {
  id: number;
  keyString: string;
  game: Game;
  deviceLimit: number;
  deviceCount: number;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

export interface NewKey {
  keyString: string;
  game: Game;
  deviceLimit: number;
  createdAt: number;
  expiresAt: number;
  /** `null` for an admin key, which belongs to nobody. */
  resellerId: number | null;
  createdBy: number;
}

/** Whose keys are meant: a reseller's, the admins' (which belong to nobody), or everybody's. */
export type Owner = { resellerId: number } | "admins" | "anyone";

const keyColumns = part`k.id, k.key_string AS "keyString", k.game, k.device_limit AS "deviceLimit",
  k.device_count AS "deviceCount", k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"`;

/** Answers the new key's id, or `null` when its text is taken, in whatever case. */
export async function insertKey(sql: Sql, key: NewKey): Promise<number | null> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, reseller_id, created_by)
    VALUES (${key.keyString}, ${key.game}, ${key.deviceLimit}, ${key.createdAt}, ${key.expiresAt}, ${key.resellerId},
      ${key.createdBy})
    ON CONFLICT DO NOTHING RETURNING id`;
  return row?.id ?? null;
}

export async function isKeyTaken(sql: Sql, keyString: string): Promise<boolean> {
  return (await sql`SELECT 1 FROM license_keys WHERE lower(key_string) = ${keyString.toLowerCase()}`).length > 0;
}

export async function keyOf(sql: Sql, owner: Owner, id: number): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow>`SELECT ${keyColumns} FROM license_keys k WHERE k.id = ${id} ${ownedBy(owner)}`;
  return row ?? null;
}

export interface KeyMakers {
  createdBy: string;
  owner: string | null;
  revokedBy: string | null;
}

/** The usernames around a key: who made it, whose it is, who revoked it. */
export async function makersOf(sql: Sql, id: number): Promise<KeyMakers> {
  const [row] = await sql<KeyMakers>`
    SELECT maker.username AS "createdBy", owner.username AS owner, revoker.username AS "revokedBy"
    FROM license_keys k JOIN accounts maker ON maker.id = k.created_by
      LEFT JOIN accounts owner ON owner.id = k.reseller_id LEFT JOIN accounts revoker ON revoker.id = k.revoked_by
    WHERE k.id = ${id}`;
  return row as KeyMakers;
}

/** Revokes a key that is not revoked; a reseller's must not have expired either. Answers whether it did. */
export async function revokeKey(
  sql: Sql,
  id: number,
  { owner, revokedBy, at, evenExpired }: { owner: Owner; revokedBy: number; at: number; evenExpired: boolean },
): Promise<boolean> {
  const revocable = evenExpired ? part`k.revoked_at IS NULL` : hasStatus("ACTIVE", at);
  const rows = await sql`
    UPDATE license_keys AS k SET revoked_at = ${at}, revoked_by = ${revokedBy}
    WHERE k.id = ${id} AND ${revocable} ${ownedBy(owner)} RETURNING id`;
  return rows.length === 1;
}

/** A part of a key's text; `close` takes look-alikes for it too. */
export interface KeySearch {
  text: string;
  close: boolean;
}

export interface KeyFilter {
  owner: Owner;
  search?: KeySearch;
  game?: Game;
  status?: KeyStatus;
  /** The instant that EXPIRED and ACTIVE are judged by. */
  at: number;
}

export interface KeyOrder {
  sort: KeySort;
  descending: boolean;
}

const sortColumns: Record<KeySort, SqlPart> = {
  created: part`k.created_at`,
  expiry: part`k.expires_at`,
  devices: part`k.device_count`,
  key: part`lower(k.key_string)`,
};

/** What the list is sorted by, as it stands in the cursor too. */
export function sortValueOf(row: KeyRow, sort: KeySort): string | number {
  if (sort === "expiry") return row.expiresAt;
  if (sort === "devices") return row.deviceCount;
  return sort === "key" ? row.keyString.toLowerCase() : row.createdAt;
}

export async function listKeys(
  sql: Sql,
  filter: KeyFilter,
  { sort, descending }: KeyOrder,
  page: Page<[string | number, number]>,
): Promise<KeyRow[]> {
  const column = sortColumns[sort];
  const compare = descending ? part`<` : part`>`;
  const after = page.after ? part`AND (${column}, k.id) ${compare} (${page.after[0]}, ${page.after[1]})` : nothing;
  const order = descending ? part`ORDER BY ${column} DESC, k.id DESC` : part`ORDER BY ${column}, k.id`;
  return sql<KeyRow>`
    SELECT ${keyColumns} FROM license_keys k WHERE 1 = 1 ${matching(filter)} ${after} ${order} ${page.limitPart}`;
}

export async function countKeys(sql: Sql, filter: KeyFilter): Promise<number> {
  const [row] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM license_keys k WHERE 1 = 1 ${matching(filter)}`;
  return row?.count ?? 0;
}

/** Whether the owner has a key with this text in it, whatever the other filters: where not, look-alikes are shown. */
export async function hasKeyWith(sql: Sql, owner: Owner, text: string): Promise<boolean> {
  const found = textLike({ text, close: false });
  return (await sql`SELECT 1 FROM license_keys k WHERE 1 = 1 ${ownedBy(owner)} ${found} LIMIT 1`).length > 0;
}

function matching({ owner, search, game, status, at }: KeyFilter): SqlPart {
  const ofGame = game ? part`AND k.game = ${game}` : nothing;
  const ofStatus = status ? part`AND ${hasStatus(status, at)}` : nothing;
  return part`${ownedBy(owner)} ${search ? textLike(search) : nothing} ${ofGame} ${ofStatus}`;
}

/** What folded-text.ts makes of a text, written for a key's own, in which there are no spaces. */
const folded = part`replace(lower(k.key_string), '-', '')`;
const lookAlike = part`replace(replace(replace(replace(replace(${folded}, 'o', '0'), 'i', '1'), 'l', '1'), 's', '5'), 'b', '8')`;

function textLike({ text, close }: KeySearch): SqlPart {
  const pattern = containing(foldedText(text));
  if (!close) return part`AND ${folded} LIKE ${pattern} ESCAPE '\\'`;
  // The first condition lets few keys through to the second, which takes three times as long.
  return part`AND ${folded} LIKE ${lookAlikePattern(pattern)} ESCAPE '\\' AND ${lookAlike} LIKE ${lookAlikeText(pattern)} ESCAPE '\\'`;
}

function ownedBy(owner: Owner): SqlPart {
  if (owner === "anyone") return nothing;
  return owner === "admins" ? part`AND k.reseller_id IS NULL` : part`AND k.reseller_id = ${owner.resellerId}`;
}
