import { nothing, part, type Sql } from "../../db/contract.ts";
import type { TimelineEvent } from "./timeline-schema.ts";

/** `place` and `id` order the events of one instant. `code` is a verdict's number, as in the migration. */
export interface EventRow {
  at: number;
  kind: TimelineEvent["kind"];
  by: string | null;
  deviceId: string | null;
  deviceName: string | null;
  code: number | null;
  count: number | null;
  place: number;
  id: number;
}

/**
 * Newest first. `after` is the time, place and id of the event before the first. Refusals go back `refusalDays` from
 * `today`.
 */
export async function eventsOf(
  sql: Sql,
  keyId: number,
  {
    after,
    rowsMax,
    today,
    refusalDays,
  }: { after: [number, number, number] | null; rowsMax: number; today: number; refusalDays: number },
): Promise<EventRow[]> {
  const older = after ? part`WHERE (e.at, e.place, e.id) < (${after[0]}, ${after[1]}, ${after[2]})` : nothing;
  return sql<EventRow>`
    WITH RECURSIVE days (day) AS (
      SELECT CAST(${today} AS BIGINT) UNION ALL SELECT day - 1 FROM days WHERE day > ${today - refusalDays}),
    events (at, kind, "by", "deviceId", kept_name, code, count, place, id) AS (
      SELECT k.created_at, 'created', a.username, NULL, CAST(NULL AS TEXT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), 0, 0
      FROM license_keys k JOIN accounts a ON a.id = k.created_by WHERE k.id = ${keyId}
      UNION ALL SELECT d.first_connected_at, 'device_connected', NULL, d.device_id, d.name, NULL, NULL, 1, d.id
      FROM key_devices d WHERE d.key_id = ${keyId}
      UNION ALL SELECT e.connected_at, 'device_connected', NULL, e.device_id, e.device_name, NULL, NULL, 2, e.id
      FROM key_events e WHERE e.key_id = ${keyId} AND e.connected_at IS NOT NULL
      UNION ALL SELECT r.last_at, 'refused', NULL, r.last_device_id, NULL, r.verdict_code, r.refusal_count, 3, r.refused_day * 16 + r.verdict_code
      FROM days CROSS JOIN key_refusals r WHERE r.refused_day = days.day AND r.key_id = ${keyId}
      UNION ALL SELECT e.created_at,
        lower(e.what), a.username, e.device_id, e.device_name, NULL, coalesce(e.device_count, e.amount), 4, e.id
      FROM key_events e LEFT JOIN accounts a ON a.id = e.made_by WHERE e.key_id = ${keyId}
      UNION ALL SELECT k.revoked_at, CASE WHEN k.replaced_by IS NULL THEN 'revoked' ELSE 'replaced' END, a.username, NULL, NULL, NULL, NULL, 5, 0
      FROM license_keys k JOIN accounts a ON a.id = k.revoked_by WHERE k.id = ${keyId}
      UNION ALL SELECT k.revoked_at, 'replaced', a.username, NULL, NULL, NULL, NULL, 6, k.id
      FROM license_keys k JOIN accounts a ON a.id = k.revoked_by WHERE k.replaced_by = ${keyId})
    SELECT e.*, coalesce(e.kept_name, d.name) AS "deviceName"
    FROM events e LEFT JOIN key_devices d ON d.key_id = ${keyId} AND d.device_id = e."deviceId"
    ${older} ORDER BY e.at DESC, e.place DESC, e.id DESC LIMIT ${rowsMax}`;
}
