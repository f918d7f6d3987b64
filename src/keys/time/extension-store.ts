import { msPerDay, msPerHour } from "../../core/clock.ts";
import { listed, part, type Sql, type SqlPart, type Unit } from "../../db/contract.ts";
import { isSelected, type Selection } from "../selection/selection-store.ts";
import { type Owner, ownedBy } from "../store.ts";
import { changeTimes } from "./time-store.ts";

/** What admins pay. */
export const free = part`0`;

/** The same price for each key, in tenths of a credit. */
export function fixedPrice(tenths: number): SqlPart {
  return part`CAST(${tenths} AS BIGINT)`;
}

/** rules.md: The time of a key. */
const lifeMsMax = 36_525 * msPerDay;

/**
 * Extends keys, in the caller's transaction, which has checked that none of them is revoked. A key that has not started
 * gets a longer duration; an expired one is extended from now on. Returns how many would then live too long; if there
 * are any, the caller must not commit.
 */
export async function extendKeys(
  unit: Unit,
  ids: readonly number[],
  { hours, madeBy, at }: { hours: number; madeBy: number; at: number },
): Promise<number> {
  const ms = hours * msPerHour;
  const longer = part`
    duration_hours = CASE WHEN k.started_at IS NULL THEN k.duration_hours + ${hours} ELSE k.duration_hours END,
    expires_at = CASE WHEN k.started_at IS NULL THEN k.expires_at
      WHEN k.paused_at IS NULL AND k.expires_at < ${at} THEN ${at + ms} ELSE k.expires_at + ${ms} END`;
  await changeTimes(unit, ids, longer, { what: "EXTENDED", madeBy, at, amount: hours });
  const [tooFar] = await unit.sql<{ count: number }>`
    SELECT count(*) AS count FROM license_keys k WHERE k.id IN (${listed(ids)})
      AND CASE WHEN k.started_at IS NULL THEN ${at} + k.duration_hours * ${msPerHour} ELSE k.expires_at END > ${at + lifeMsMax}`;
  return tooFar?.count ?? 0;
}

/** How many keys of a selection can be extended, and what that costs. `price` is null for a key that is not sold. */
export async function countExtension(
  sql: Sql,
  selection: Selection,
  price: SqlPart,
): Promise<{ toExtend: number; costTenths: number }> {
  const [row] = await sql<{ toExtend: number; costTenths: number }>`
    SELECT CAST(coalesce(sum(CASE WHEN g.price IS NULL THEN 0 ELSE g.keys END), 0) AS BIGINT) AS "toExtend",
      CAST(coalesce(sum(g.keys * g.price), 0) AS BIGINT) AS "costTenths"
    FROM (
      SELECT count(*) AS keys, ${price} AS price FROM license_keys k
      WHERE ${isSelected(selection)} AND k.revoked_at IS NULL GROUP BY k.game_id, k.device_limit) AS g`;
  return row as NonNullable<typeof row>;
}

/** The first of those keys, in the order of their ids. */
export async function listExtension(sql: Sql, selection: Selection, price: SqlPart, rowsMax: number) {
  return idsOf(
    await sql`SELECT k.id FROM license_keys k
      WHERE ${isSelected(selection)} AND k.revoked_at IS NULL AND ${price} IS NOT NULL ORDER BY k.id LIMIT ${rowsMax}`,
  );
}

/** Those of these keys that can still be extended. */
export async function stillExtensible(sql: Sql, ids: readonly number[], owner: Owner, price: SqlPart) {
  return idsOf(
    await sql`SELECT k.id FROM license_keys k
      WHERE k.id IN (${listed(ids)}) AND ${ownedBy(owner)} AND k.revoked_at IS NULL AND ${price} IS NOT NULL ORDER BY k.id`,
  );
}

function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
