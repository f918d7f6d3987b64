import type { Caller } from "../accounts/audited-changes.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { allGames } from "../catalogue/store.ts";
import { isoOf, msPerDay, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { Database } from "../db/contract.ts";
import { verdictCodes } from "../verify/schema.ts";
import { type DayFigures, figureDaysDefault, type TopReseller } from "./schema.ts";
import * as store from "./store.ts";

export type Figures = ReturnType<typeof createFigures>;

const topKeptMs = 5_000;

/** The figures of each of the last days, oldest first, without gaps (rules.md: Daily figures). */
export function createFigures({ database, now }: { database: Database; now: Now }) {
  /** By the number of days. Each reseller who bought is read, so only keeping them holds goal P6 with thousands of resellers. */
  const top = new Map<number, { at: number; rows: TopReseller[] }>();
  return {
    /** The admin's overview, all of one instant. */
    stats: (admin: Caller) => store.readStats(database.query(admin), now()),

    /** Of a reseller's own keys; for admins of all. */
    byDay,

    /** Those who sold most in the last days, by the credits that they spent. */
    async resellers(admin: Caller, days = figureDaysDefault): Promise<TopReseller[]> {
      const at = now();
      const known = top.get(days);
      if (known && at >= known.at && at < known.at + topKeptMs) return known.rows;
      const lastDay = Math.floor(at / msPerDay);
      const found = await store.topResellers(database.query(admin), { firstDay: lastDay - days + 1, lastDay });
      const rows = found.map(({ costTenths, ...row }) => ({ ...row, credits: creditsOf(costTenths) }));
      top.set(days, { at, rows });
      return rows;
    },
  };

  async function byDay(caller: Caller, days = figureDaysDefault): Promise<DayFigures[]> {
    const resellerId = caller.role === "admin" ? null : resellerIdOf(caller);
    const lastDay = Math.floor(now() / msPerDay);
    const firstDay = lastDay - days + 1;
    const sql = database.query(caller);
    const [games, made, returned] = await Promise.all([
      allGames(sql),
      store.madeByDay(sql, resellerId, firstDay),
      store.verdictsByDay(sql, resellerId, { firstDay, lastDay }),
    ]);
    const names = games.map(({ name }) => name);
    const figures = Array.from({ length: days }, (_, index) => emptyDay(firstDay + index, names));
    for (const { day, game, keys, costTenths } of made) {
      const figure = figures[day - firstDay];
      if (!figure) continue;
      figure.keys[game] = keys;
      figure.credits[game] = creditsOf(costTenths);
    }
    for (const { day, code, count, connected } of returned) {
      const [figure, name] = [figures[day - firstDay], verdictCodes[code]];
      if (!figure || !name) continue;
      figure.verdicts[name] = count;
      figure.devices += connected;
    }
    return figures;
  }
}

function emptyDay(day: number, games: readonly string[]): DayFigures {
  return {
    day: isoOf(day * msPerDay).slice(0, 10),
    keys: zeros(games),
    credits: zeros(games),
    verdicts: zeros(verdictCodes),
    devices: 0,
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
