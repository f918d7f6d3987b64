import { foldedText } from "../../core/text.ts";
import { containing, firstOf, nothing, part, type Sql } from "../../db/contract.ts";
import type { Page } from "../../db/paging.ts";
import type { Block, BlockForm } from "./block-schema.ts";

/** Whose block: a reseller's id, or 0 for the admins, whose blocks cover all keys. */
export type BlockOwner = number;

export type BlockRow = Omit<Block, "at"> & { at: number };

const columns = part`b.id, b.device_id AS "deviceId", b.given_reason AS reason, a.username AS by, b.created_at AS at`;
const blocks = part`blocked_devices b JOIN accounts a ON a.id = b.blocked_by`;

interface BlockFilter {
  owner: BlockOwner;
  search: string | undefined;
}

/** Newest first. */
export function listBlocks(sql: Sql, { owner, search }: BlockFilter, { after, limitPart }: Page<[number]>) {
  const text = containing(foldedText(search ?? ""));
  const found = search
    ? part`AND (b.device_folded LIKE ${text} ESCAPE '\\' OR b.reason_folded LIKE ${text} ESCAPE '\\')`
    : nothing;
  const older = after ? part`AND b.id < ${after[0]}` : nothing;
  return sql<BlockRow>`
    SELECT ${columns} FROM ${blocks} WHERE b.owner = ${owner} ${found} ${older} ORDER BY b.id DESC ${limitPart}`;
}

/** The owner's block of this device, or with this id. */
export function blockOf(sql: Sql, owner: BlockOwner, which: { id: number } | { deviceId: string }) {
  const named = "id" in which ? part`b.id = ${which.id}` : part`b.device_id = ${which.deviceId}`;
  return firstOf(sql<BlockRow>`SELECT ${columns} FROM ${blocks} WHERE b.owner = ${owner} AND ${named}`);
}

export async function countBlocks(sql: Sql, owner: BlockOwner): Promise<number> {
  const [row] = await sql<{ count: number }>`SELECT count(*) AS count FROM blocked_devices WHERE owner = ${owner}`;
  return row?.count ?? 0;
}

export async function insertBlock(
  sql: Sql,
  { owner, deviceId, reason, madeBy, at }: BlockForm & { owner: BlockOwner; madeBy: number; at: number },
): Promise<number> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO blocked_devices (owner, device_id, device_folded, given_reason, reason_folded, blocked_by, created_at)
    VALUES (${owner}, ${deviceId}, ${foldedText(deviceId)}, ${reason}, ${foldedText(reason)}, ${madeBy}, ${at})
    RETURNING id`;
  return (row as { id: number }).id;
}

export async function deleteBlock(sql: Sql, id: number): Promise<void> {
  await sql`DELETE FROM blocked_devices WHERE id = ${id}`;
}

/**
 * The rows of a blocked device on keys that the block covers, and none once the block is deleted. Devices have no index
 * by id, because it would make each new one cost half as much again: an admin's block reads the index of the search,
 * and a reseller's the reseller's keys.
 */
export async function connectedDespite(
  sql: Sql,
  { id, owner, deviceId }: { id: number; owner: BlockOwner; deviceId: string },
  rowsMax: number,
): Promise<number[]> {
  const devices =
    owner === 0
      ? part`(SELECT s.id FROM key_devices s WHERE s.device_folded = ${foldedText(deviceId)}) AS f
          JOIN key_devices d ON d.id = f.id AND d.device_id = ${deviceId}`
      : part`license_keys k JOIN key_devices d ON d.key_id = k.id AND d.device_id = ${deviceId} AND k.reseller_id = ${owner}`;
  const rows = await sql<{ id: number }>`
    SELECT d.id FROM ${devices} WHERE EXISTS (SELECT 1 FROM blocked_devices b WHERE b.id = ${id}) LIMIT ${rowsMax}`;
  return rows.map((row) => row.id);
}
