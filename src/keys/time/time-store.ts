import { msPerHour } from "../../core/clock.ts";
import { totalsDay } from "../../core/key-time.ts";
import { raw } from "../../db/append-only.ts";
import { listed, part, type SqlPart, type Unit } from "../../db/contract.ts";

/** What changes the time of a key, as its timeline shows it. */
export interface TimeEvent {
  what: "STARTED" | "EXTENDED" | "PAUSED" | "RESUMED" | "COMPENSATED";
  /** Null for a device, and for a pause that ends by itself. */
  madeBy: number | null;
  /** The same instant for all keys, or a column of `license_keys AS k`. */
  at: number | SqlPart;
  deviceId?: string;
  /** Hours, negative when taken back. */
  amount?: number;
  interventionId?: number;
}

/**
 * Changes the columns of `license_keys AS k` that decide a key's status, adds the event to each key's history, and
 * keeps the totals in step. The caller has checked, in the same transaction, that all keys may be changed.
 */
export async function changeTimes(
  unit: Unit,
  ids: readonly number[],
  assignments: SqlPart,
  event: TimeEvent,
): Promise<void> {
  if (ids.length === 0) return;
  const keys = part`k.id IN (${listed(ids)})`;
  const { what, madeBy, at, deviceId = null, amount = null, interventionId = null } = event;
  const isRenewal =
    what === "EXTENDED" ? part`CASE WHEN k.paused_at IS NULL AND k.expires_at <= ${at} THEN 1 ELSE 0 END` : part`0`;
  await unit.sql`
    INSERT INTO key_events (key_id, what, made_by, device_id, created_at, amount, is_renewal, intervention_id)
    SELECT k.id, ${what}, CAST(${madeBy} AS BIGINT), ${deviceId}, ${at}, CAST(${amount} AS BIGINT), ${isRenewal},
      CAST(${interventionId} AS BIGINT)
    FROM license_keys k WHERE ${keys} ORDER BY k.id`;
  await unit.sql`
    UPDATE key_totals AS t SET made_count = t.made_count - c.count FROM (${countsOf(keys)}) AS c
    WHERE t.owner = c.owner AND t.game_id = c.game_id AND t.expiry_day = c.expiry_day`;
  await unit.sql`UPDATE license_keys AS k SET ${assignments} WHERE ${keys}`;
  await unit.sql`
    INSERT INTO key_totals (owner, game_id, expiry_day, made_count) ${countsOf(keys)}
    ON CONFLICT (owner, game_id, expiry_day) DO UPDATE SET made_count = key_totals.made_count + excluded.made_count`;
  for (const id of ids) unit.keyChanged(id);
}

/** How these keys count in the totals. */
function countsOf(keys: SqlPart): SqlPart {
  return part`
    SELECT coalesce(k.reseller_id, 0) AS owner, k.game_id, ${raw(totalsDay)} AS expiry_day, count(*) AS count
    FROM license_keys k WHERE ${keys} GROUP BY 1, 2, 3`;
}

/** Starts the time of a key with its first device. */
export function startKey(unit: Unit, keyId: number, { deviceId, at }: { deviceId: string; at: number }) {
  const started = part`started_at = ${at}, expires_at = ${at} + k.duration_hours * ${msPerHour}`;
  return changeTimes(unit, [keyId], started, { what: "STARTED", madeBy: null, deviceId, at });
}
