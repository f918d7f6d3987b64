import { raw } from "../db/append-only.ts";
import { listed, part, type Sql, type SqlPart } from "../db/contract.ts";

/** Keys that an import adds to the order of their owner. What the keys do not share is null. */
export interface ImportedKeys {
  importId: number;
  resellerId: number | null;
  madeBy: number;
  at: number;
  count: number;
  gameId: number | null;
  deviceLimit: number | null;
  days: number | null;
  durationHours: number | null;
  isFirstUse: number;
}

/** Adds keys to the owner's order of this import, which the first of them make. Returns its id. */
export async function addToImport(sql: Sql, keys: ImportedKeys): Promise<number> {
  const { importId, resellerId, madeBy, at, count, gameId, deviceLimit, days, durationHours, isFirstUse } = keys;
  // An upsert would use up an order number each time.
  const [known] = await sql<{ id: number }>`
    UPDATE orders SET key_count = key_count + ${count}, game_id = ${ifSame("game_id", gameId)},
      device_limit = ${ifSame("device_limit", deviceLimit)}, days = ${ifSame("days", days)},
      duration_hours = ${ifSame("duration_hours", durationHours)}, is_first_use = is_first_use * ${isFirstUse}
    WHERE import_id = ${importId} AND coalesce(reseller_id, 0) = ${resellerId ?? 0} RETURNING id`;
  if (known) return known.id;
  const [added] = await sql<{ id: number }>`
    INSERT INTO orders (import_id, reseller_id, made_by, created_at, key_count, cost_tenths, game_id, device_limit, days,
      duration_hours, is_first_use)
    VALUES (${importId}, ${resellerId}, ${madeBy}, ${at}, ${count}, 0, ${gameId}, ${deviceLimit}, ${days},
      ${durationHours}, ${isFirstUse}) RETURNING id`;
  return (added as { id: number }).id;
}

/** A column that becomes, and stays, null once keys differ in it. */
function ifSame(column: string, value: number | null): SqlPart {
  return part`CASE WHEN ${raw(column)} = CAST(${value} AS BIGINT) THEN ${raw(column)} END`;
}

export interface ImportOrder {
  id: number;
  importId: number;
  reseller: string | null;
  count: number;
  /** Whether a device has connected to one of its keys, or something was paid for one. */
  isUsed: number;
  undoneAt: number | null;
}

const columns = part`o.id, o.import_id AS "importId", owner.username AS reseller, o.key_count AS count, o.is_used AS "isUsed",
  o.undone_at AS "undoneAt"`;

/** The orders of an import, the oldest first. */
export function ordersOfImport(sql: Sql, importId: number): Promise<ImportOrder[]> {
  return sql<ImportOrder>`
    SELECT ${columns} FROM orders o LEFT JOIN accounts owner ON owner.id = o.reseller_id
    WHERE o.import_id = ${importId} ORDER BY o.id`;
}

/** Null if it is no import's. */
export async function importOrderOf(sql: Sql, id: number): Promise<ImportOrder | null> {
  const [row] = await sql<ImportOrder>`
    SELECT ${columns} FROM orders o LEFT JOIN accounts owner ON owner.id = o.reseller_id
    WHERE o.id = ${id} AND o.import_id IS NOT NULL`;
  return row ?? null;
}

/** From then on their keys take no device and no payment. */
export async function undoOrders(sql: Sql, ids: number[], at: number): Promise<void> {
  await sql`UPDATE orders SET undone_at = ${at} WHERE id IN (${listed(ids)})`;
}

/** The oldest undone order that still has keys. */
export async function nextUndone(sql: Sql): Promise<ImportOrder | null> {
  const [row] = await sql<ImportOrder>`
    SELECT ${columns} FROM orders o LEFT JOIN accounts owner ON owner.id = o.reseller_id
    WHERE o.undone_at IS NOT NULL AND o.key_count > 0 ORDER BY o.id LIMIT 1`;
  return row ?? null;
}

export async function countDeleted(sql: Sql, { id, importId }: ImportOrder, count: number): Promise<void> {
  await sql`UPDATE orders SET key_count = key_count - ${count} WHERE id = ${id}`;
  await sql`UPDATE imports SET deleted_count = deleted_count + ${count} WHERE id = ${importId}`;
}
