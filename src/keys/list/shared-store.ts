import { dayOf, msPerDay } from "../../core/clock.ts";
import { nothing, part, type Sql } from "../../db/contract.ts";
import { hasStatus, type KeyRow } from "../model.ts";
import { keyColumns, type Owner, ownedBy } from "../store.ts";

/** So many different devices, and more, look like sharing. */
const devicesMin = 3;
const keysMax = 200;

/** Of the UTC day and the one before. */
interface SharedKeyRow extends KeyRow {
  devicesRefused: number;
  releases: number;
}

/** The ACTIVE keys that the most devices found full, those of the most devices first. */
export function sharedKeys(sql: Sql, owner: Owner, { gameId, at }: { gameId?: number; at: number }) {
  const today = dayOf(at);
  const devices = part`CASE WHEN s.refused_day < ${today} THEN s.own_count ELSE s.both_count END`;
  const owned = typeof owner === "string" ? nothing : part`AND s.owner = ${owner.resellerId}`;
  const ofGame = gameId ? part`AND k.game_id = ${gameId}` : nothing;
  // The CASE keeps the planner from beginning with all ACTIVE keys.
  return sql<SharedKeyRow>`
    WITH shared AS MATERIALIZED (
      SELECT s.key_id, ${devices} AS devices FROM refused_devices s JOIN license_keys k ON k.id = s.key_id
      WHERE s.refused_day >= ${today - 1} AND s.both_count >= ${devicesMin} AND ${devices} >= ${devicesMin} ${owned}
        AND CASE WHEN ${hasStatus("ACTIVE", at)} AND ${ownedBy(owner)} ${ofGame} THEN 1 ELSE 0 END = 1
      ORDER BY devices DESC, s.key_id LIMIT ${keysMax})
    SELECT ${keyColumns}, shared.devices AS "devicesRefused", (
      SELECT count(*) FROM key_events e WHERE e.key_id = k.id AND e.what = 'DEVICE_RELEASED'
        AND e.created_at >= ${(today - 1) * msPerDay}) AS releases
    FROM shared JOIN license_keys k ON k.id = shared.key_id ORDER BY shared.devices DESC, k.id`;
}
