import type { Game } from "../catalogue/catalogue.ts";
import { msPerDay } from "../core/clock.ts";
import type { Sql } from "../db/contract.ts";

/** What was generated on a day, of one game. */
export interface MadeRow {
  day: number;
  game: Game;
  keys: number;
  costTenths: number;
}

/** What clients were told on a day. `code` is a number of the migration's that brought them. */
export interface ToldRow {
  day: number;
  code: number;
  count: number;
  connected: number;
}

/** A reseller's, or everybody's where `resellerId` is `null`. Keys that are older than orders are counted nowhere. */
export async function madeByDay(sql: Sql, resellerId: number | null, firstDay: number): Promise<MadeRow[]> {
  if (resellerId === null) {
    return sql<MadeRow>`
      SELECT made_day AS day, game, CAST(sum(key_count) AS BIGINT) AS keys, CAST(sum(cost_tenths) AS BIGINT) AS "costTenths"
      FROM order_totals WHERE made_day >= ${firstDay} GROUP BY made_day, game`;
  }
  return sql<MadeRow>`
    SELECT created_at / ${msPerDay} AS day, game, CAST(sum(key_count) AS BIGINT) AS keys, CAST(sum(cost_tenths) AS BIGINT) AS "costTenths" FROM orders
    WHERE created_at >= ${firstDay * msPerDay} AND reseller_id = ${resellerId}
    GROUP BY 1, game`;
}

/** The table of one owner's has the day first, so each day is asked for by itself. */
export async function toldByDay(
  sql: Sql,
  resellerId: number | null,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<ToldRow[]> {
  if (resellerId === null) {
    return sql<ToldRow>`
      SELECT told_day AS day, verdict_code AS code, verdict_count AS count, connected_count AS connected
      FROM all_verdict_totals WHERE told_day >= ${firstDay}`;
  }
  return sql<ToldRow>`
    WITH RECURSIVE days (day) AS (SELECT CAST(${firstDay} AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay})
    SELECT v.told_day AS day, v.verdict_code AS code, v.verdict_count AS count, v.connected_count AS connected
    FROM days CROSS JOIN verdict_totals v WHERE v.told_day = days.day AND v.owner = ${resellerId}`;
}
