import type { Caller } from "../accounts/audited-changes.ts";
import { allGames } from "../catalogue/store.ts";
import { isoOf, msPerDay, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { Database } from "../db/contract.ts";
import { verdictCodes } from "../verify/schema.ts";
import { type DayFigures, figureDaysDefault } from "./schema.ts";
import * as store from "./store.ts";

export type Figures = ReturnType<typeof createFigures>;

/** The figures of each of the last days, oldest first, without gaps (rules.md: Daily figures). */
export function createFigures({ database, now }: { database: Database; now: Now }) {
  return {
    /** The admin's overview, all of one instant. */
    stats: (admin: Caller) => store.readStats(database.query(admin), now()),

    /** Of a reseller's own keys; for admins of all. */
    byDay,
  };

  async function byDay(caller: Caller, days = figureDaysDefault): Promise<DayFigures[]> {
    const resellerId = caller.role === "admin" ? null : caller.id;
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
