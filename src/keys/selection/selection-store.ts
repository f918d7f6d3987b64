import { listed, nothing, part, type Sql, type SqlPart } from "../../db/contract.ts";
import type { Page } from "../../db/paging.ts";
import { type KeyFilter, matchPart } from "../list/list-store.ts";
import { hadStatus, type KeyRow, wasOpen } from "../model.ts";
import { isConnected, isRevocable, keyColumns, ownedBy } from "../store.ts";

/**
 * The keys that a person was shown together. Their status is that at the instant `filter.at`, and `lastId` is the
 * newest key of that time, so keys that are revoked, expire or are made later do not change the selection.
 */
export interface Selection {
  filter: KeyFilter;
  /** The selected ones; null for all. */
  ids: readonly number[] | null;
  lastId: number;
}

/** The id of an owner's newest key; 0 if there is none. */
export async function lastKeyId(sql: Sql, owner: KeyFilter["owner"]): Promise<number> {
  const [row] = await sql<{ id: number }>`
    SELECT coalesce(max(k.id), 0) AS id FROM license_keys k WHERE ${ownedBy(owner)}`;
  return row?.id ?? 0;
}

/** What is still to do: revoke keys, including expired ones if the caller may, or note them. */
export type Undone = { revoking: { evenExpired: boolean; at: number } } | { noting: string | null };

export interface SelectionCounts {
  selected: number;
  unused: number;
  connected: number;
  expired: number;
  revoked: number;
  toRevoke: number;
  toNote: number;
}

/** Counts the selected keys by kind, as they were at the selection's instant, and those that could be changed now. */
export async function countSelected(
  sql: Sql,
  selection: Selection,
  { evenExpired, at, note }: { evenExpired: boolean; at: number; note: string | null },
): Promise<SelectionCounts> {
  const then = selection.filter.at;
  const open = wasOpen(then);
  const [row] = await sql<Omit<SelectionCounts, "unused"> & { open: number }>`
    SELECT count(*) AS selected, ${countOf(open)} AS open, ${countOf(part`${open} AND ${isConnected}`)} AS connected,
      ${countOf(hadStatus("EXPIRED", then))} AS expired, ${countOf(hadStatus("REVOKED", then))} AS revoked,
      ${countOf(undonePart({ revoking: { evenExpired, at } }))} AS "toRevoke",
      ${countOf(undonePart({ noting: note }))} AS "toNote"
    FROM license_keys k WHERE ${isSelected(selection)}`;
  const { open: openCount, ...counts } = row as NonNullable<typeof row>;
  return { ...counts, unused: openCount - counts.connected };
}

export interface RevocationCounts {
  /** Could be revoked when the selection was looked at. */
  promised: number;
  /** Could be revoked now. */
  left: number;
  /** Were revoked since by this account. */
  done: number;
  /** Were revoked before, or by another account. */
  revokedOtherwise: number;
  /** Have expired, if the caller may not revoke expired keys. */
  expired: number;
}

export async function countRevocation(
  sql: Sql,
  selection: Selection,
  { revokedBy, evenExpired, at }: { revokedBy: number; evenExpired: boolean; at: number },
): Promise<RevocationCounts> {
  const then = selection.filter.at;
  const left = undonePart({ revoking: { evenExpired, at } });
  const done = part`k.revoked_at > ${then} AND k.revoked_by = ${revokedBy}`;
  const promised = evenExpired ? part`k.revoked_at IS NULL OR k.revoked_at > ${then}` : wasOpen(then);
  const [row] = await sql<RevocationCounts>`
    SELECT ${countOf(promised)} AS promised, ${countOf(left)} AS left, ${countOf(done)} AS done,
      ${countOf(part`k.revoked_at IS NOT NULL AND NOT (${done})`)} AS "revokedOtherwise",
      ${countOf(part`k.revoked_at IS NULL AND NOT (${left})`)} AS expired
    FROM license_keys k WHERE ${isSelected(selection)}`;
  return row as RevocationCounts;
}

/** What the caller's revocations of these keys of a reseller have given back, in tenths. */
export async function refundedFor(
  sql: Sql,
  selection: Selection,
  resellerId: number,
  revokedBy: number,
): Promise<number> {
  const then = selection.filter.at;
  const [row] = await sql<{ tenths: number }>`
    SELECT CAST(coalesce(sum(l.amount_tenths), 0) AS BIGINT) AS tenths
    FROM credit_ledger l JOIN license_keys k ON k.id = l.key_id
    WHERE l.reseller_id = ${resellerId} AND l.reason = 'key_refund' AND l.created_at > ${then}
      AND ${isSelected(selection)} AND k.revoked_at > ${then} AND k.revoked_by = ${revokedBy}`;
  return row?.tenths ?? 0;
}

/** The next keys of a selection that are still to be changed, in the order of their ids. */
export async function nextUndone(
  sql: Sql,
  selection: Selection,
  undone: Undone,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    SELECT k.id FROM license_keys k
    WHERE ${isSelected(selection)} AND ${undonePart(undone)} AND k.id > ${after} ORDER BY k.id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** In the order in which they were made. */
export async function listSelected(
  sql: Sql,
  selection: Selection,
  { after, limit }: Pick<Page<[number]>, "after" | "limit">,
): Promise<KeyRow[]> {
  return sql<KeyRow>`
    SELECT ${keyColumns} FROM license_keys k
    WHERE ${isSelected(selection)} ${after ? part`AND k.id > ${after[0]}` : nothing}
    ORDER BY k.id ${limit === null ? nothing : part`LIMIT ${limit}`}`;
}

/** A condition on `license_keys AS k`. */
export function isSelected({ filter, ids, lastId }: Selection): SqlPart {
  const { owner, status, at } = filter;
  const ofStatus = status ? part`AND ${hadStatus(status, at)}` : nothing;
  const ofIds = ids ? part`AND k.id IN (${listed(ids)})` : nothing;
  return part`${ownedBy(owner)} AND k.id <= ${lastId} AND ${matchPart({ ...filter, status: undefined })} ${ofStatus} ${ofIds}`;
}

function undonePart(undone: Undone): SqlPart {
  if ("noting" in undone) return part`k.note IS DISTINCT FROM ${undone.noting}`;
  return isRevocable(undone.revoking);
}

function countOf(condition: SqlPart): SqlPart {
  return part`coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
}
