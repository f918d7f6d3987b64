import type { Now } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import type { Stats } from "./schema.ts";
import * as store from "./store.ts";

/** The figures of the admin's first page, all of one instant. */
export interface Overview {
  stats(): Promise<Stats>;
}

export function createOverview({ database, now }: { database: Database; now: Now }): Overview {
  return { stats: () => store.readStats(database.query, now()) };
}
