import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/maintenance.ts";
import { eraseOlder, hasOlder } from "./statistics-store.ts";

const log = getLogger(["latchkey", "verify"]);

/** For how long refusals of a key stay in its timeline. */
export const refusalDaysKept = 90;

/** Figures reach back 365 days. */
const totalDaysKept = 400;
/** Rows of each table that one transaction erases. */
const rowsPerBatch = 200;

/** How long verdicts stay on record (rules.md: Verdicts on record). */
export function createStatisticsRetention({ database, now }: { database: Database; now: Now }): Erasure {
  const kept = () => {
    const today = Math.floor(now() / msPerDay);
    return { refusalsSince: today - refusalDaysKept, totalsSince: today - totalDaysKept };
  };
  return createErasure({
    database,
    name: "retention of verdicts",
    isAnyOld: () => hasOlder(database.read, kept()),
    eraseBatch: () => database.transaction(null, ({ sql }) => eraseOlder(sql, kept(), rowsPerBatch)),
    onFailure: (error) => log.error("Old verdicts stay: {error}", { error }),
  });
}
