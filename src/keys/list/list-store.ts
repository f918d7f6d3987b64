import { msPerDay } from "../../core/clock.ts";
import { foldedKeyText } from "../../core/key-text.ts";
import { foldedText } from "../../core/text.ts";
import { containing, listed, nothing, part, type Sql, type SqlPart } from "../../db/contract.ts";
import { type Page, type SortColumn, sortedPart } from "../../db/paging.ts";
import { hasStatus, type KeyRow, lookAlikeText } from "../model.ts";
import type { KeySort, KeyStatus } from "../schema.ts";
import { deviceCount, keyColumns, type Owner, ownedBy } from "../store.ts";

/** A search for a part of a key's text or note, or with `close` for look-alikes of the text. */
export interface KeySearch {
  text: string;
  close: boolean;
  /** The keys that it finds, whatever the other filters, if `searchedFor` found few. */
  ids?: readonly number[];
}

export interface KeyFilter {
  owner: Exclude<Owner, "anyone">;
  search?: KeySearch;
  gameId?: number;
  status?: KeyStatus;
  orderId?: number;
  /** The instant that EXPIRED and ACTIVE are judged by. */
  at: number;
}

export interface KeyOrder {
  sort: KeySort;
  descending: boolean;
}

export const sortColumns: Record<KeySort, SortColumn> = {
  created: { column: part`k.created_at`, id: part`k.id`, holds: "numbers" },
  expiry: { column: part`k.expires_at`, id: part`k.id`, holds: "numbers" },
  devices: { column: deviceCount, id: part`k.id`, holds: "numbers" },
  key: { column: part`k.text_folded`, id: part`k.id`, holds: "text" },
};

/** The value that the list is sorted by, which is also in the cursor. */
export function sortValueOf(row: KeyRow, sort: KeySort): string | number {
  if (sort === "expiry") return row.expiresAt;
  if (sort === "devices") return row.deviceCount;
  return sort === "key" ? foldedKeyText(row.keyString) : row.createdAt;
}

/**
 * Up to this many matches are found first and then sorted. If there are more, a walk in the list's order soon finds
 * enough for a page.
 */
export const fewMatchesMax = 2_000;

/** `matchCount` is what `countKeys` returns for this filter. It decides how the keys are found, not which. */
export async function listKeys(
  sql: Sql,
  filter: KeyFilter,
  { sort, descending }: KeyOrder,
  page: Page<[string | number, number]>,
  matchCount: number,
): Promise<KeyRow[]> {
  const { search, status, at } = filter;
  const sorted = sortedPart(sortColumns[sort], descending, page);
  if (matchCount <= fewMatchesMax) {
    const found = search
      ? foundPart(filter.owner, search)
      : part`SELECT k.id FROM license_keys k WHERE ${listedOf(filter)}`;
    return sql<KeyRow>`
      WITH found AS MATERIALIZED (${found})
      SELECT ${keyColumns} FROM found JOIN license_keys k ON k.id = found.id WHERE ${narrowPart(filter)} ${sorted}`;
  }
  // The CASE keeps the planner from using another index than that of the order, with which it would find all matches
  // and sort them.
  const byOrder = status !== undefined && sort === sortServing[status];
  const open = byOrder ? hasStatus(status, at) : part`1 = 1`;
  const met = matchPart(byOrder ? { ...filter, status: undefined } : filter);
  return sql<KeyRow>`
    SELECT ${keyColumns} FROM license_keys k
    WHERE ${ownedBy(filter.owner)} AND ${open} AND CASE WHEN ${met} THEN 1 ELSE 0 END = 1 ${sorted}`;
}

/** The order whose index also contains the status. */
const sortServing: Record<KeyStatus, KeySort> = {
  ACTIVE: "expiry",
  PAUSED: "expiry",
  EXPIRED: "expiry",
  REVOKED: "created",
};

/**
 * Counts the keys that match. Without a search or an order it reads the totals, so it is fast however many there are.
 */
export async function countKeys(sql: Sql, filter: KeyFilter): Promise<number> {
  if (filter.search !== undefined) return countFound(sql, filter.search, filter);
  if (filter.orderId !== undefined) return countWhere(sql, part`${listedOf(filter)} AND ${narrowPart(filter)}`);
  const { made, revoked, paused, active } = await totalsOf(sql, filter);
  if (filter.status === undefined) return made;
  const counts = { REVOKED: revoked, PAUSED: paused, ACTIVE: active, EXPIRED: made - revoked - paused - active };
  return counts[filter.status];
}

async function countFound(sql: Sql, search: KeySearch, filter: KeyFilter): Promise<number> {
  if (search.ids && !isNarrowed(filter)) return search.ids.length;
  const found = foundPart(filter.owner, search);
  if (isNarrowed(filter)) return countWhere(sql, part`k.id IN (${found}) AND ${narrowPart(filter)}`);
  const [row] = await sql<{ count: number }>`SELECT count(*) AS count FROM (${found}) AS found`;
  return row?.count ?? 0;
}

async function countWhere(sql: Sql, condition: SqlPart): Promise<number> {
  const [row] = await sql<{ count: number }>`SELECT count(*) AS count FROM license_keys k WHERE ${condition}`;
  return row?.count ?? 0;
}

interface Totals {
  made: number;
  revoked: number;
  paused: number;
  active: number;
}

/**
 * A key that expires on a later day is ACTIVE unless it was revoked, so only those that expire today are counted one by
 * one.
 */
async function totalsOf(sql: Sql, { owner, gameId, at }: KeyFilter): Promise<Totals> {
  const today = Math.floor(at / msPerDay);
  const ownerNumber = owner === "admins" ? 0 : owner.resellerId;
  const [totals] = await sql<Totals>`
    SELECT coalesce(sum(t.made_count), 0) AS made, coalesce(sum(t.revoked_count), 0) AS revoked,
      coalesce(sum(CASE WHEN t.expiry_day = -1 THEN t.made_count - t.revoked_count END), 0) AS paused,
      coalesce(sum(CASE WHEN t.expiry_day > ${today} THEN t.made_count - t.revoked_count END), 0) + (
        SELECT count(*) FROM license_keys k
        WHERE ${ownedBy(owner)} AND ${hasStatus("ACTIVE", at)} AND k.expires_at < ${(today + 1) * msPerDay}
          ${gameId ? part`AND k.game_id = ${gameId}` : nothing}) AS active
    FROM key_totals t WHERE t.owner = ${ownerNumber} ${gameId ? part`AND t.game_id = ${gameId}` : nothing}`;
  return totals as Totals;
}

/** Finds the keys of a search. If they are few, later queries of this list use their ids. */
export async function searchedFor(sql: Sql, owner: Owner, search: KeySearch): Promise<KeySearch> {
  const rows = await sql<{ id: number }>`${foundPart(owner, search)} LIMIT ${fewMatchesMax + 1}`;
  return rows.length > fewMatchesMax ? search : { ...search, ids: rows.map(({ id }) => id) };
}

/**
 * The ids of the keys that a search finds. Texts and notes have an index each; one condition on both would read every
 * row.
 */
function foundPart(owner: Owner, search: KeySearch): SqlPart {
  if (search.ids) return part`SELECT k.id FROM license_keys k WHERE k.id IN (${listed(search.ids)})`;
  const byText = part`SELECT k.id FROM license_keys k WHERE ${ownedBy(owner)} AND ${textPart(search)}`;
  if (search.close) return byText;
  const noted = part`${notePart(search)} AND NOT (${textPart(search)})`;
  return part`${byText} UNION ALL SELECT k.id FROM license_keys k WHERE ${ownedBy(owner)} AND ${noted}`;
}

/** The filter as a condition on `license_keys AS k`. */
export function matchPart({ search, ...filter }: Omit<KeyFilter, "owner">): SqlPart {
  if (!search) return narrowPart(filter);
  if (search.ids) return part`k.id IN (${listed(search.ids)}) AND ${narrowPart(filter)}`;
  const met = search.close ? textPart(search) : part`(${textPart(search)} OR ${notePart(search)})`;
  return part`${met} AND ${narrowPart(filter)}`;
}

type Narrowing = Pick<KeyFilter, "gameId" | "status" | "orderId" | "at">;

/** Whether keys that match the search may be filtered out. */
function isNarrowed({ gameId, status, orderId }: Narrowing): boolean {
  return gameId !== undefined || status !== undefined || orderId !== undefined;
}

function narrowPart({ gameId, status, orderId, at }: Narrowing): SqlPart {
  const ofGame = gameId ? part`AND k.game_id = ${gameId}` : nothing;
  const ofStatus = status ? part`AND ${hasStatus(status, at)}` : nothing;
  return part`1 = 1 ${ofGame} ${ofStatus} ${orderPart(orderId)}`;
}

/** The owner's keys, of one order if the filter has one: a condition on `license_keys AS k`. */
function listedOf({ owner, orderId }: KeyFilter): SqlPart {
  return part`${ownedBy(owner)} ${orderPart(orderId)}`;
}

function orderPart(orderId: number | undefined): SqlPart {
  return orderId === undefined ? nothing : part`AND k.order_id = ${orderId}`;
}

/** A condition on the text of `license_keys AS k`. */
export function textPart({ text, close }: KeySearch): SqlPart {
  const folded = foldedKeyText(text);
  return close
    ? part`k.look_alike LIKE ${containing(lookAlikeText(folded))} ESCAPE '\\'`
    : part`k.text_folded LIKE ${containing(folded)} ESCAPE '\\'`;
}

export function notePart({ text }: Pick<KeySearch, "text">): SqlPart {
  return part`k.note_folded IS NOT NULL AND k.note_folded LIKE ${containing(foldedText(text))} ESCAPE '\\'`;
}
