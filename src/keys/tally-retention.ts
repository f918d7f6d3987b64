import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/erasure.ts";
import { eraseOldest, hasOlder } from "./tally-store.ts";

const log = getLogger(["latchkey", "keys"]);

/** Rows of a table that are erased in one batch, which takes 2 to 3 ms. */
const rowsPerBatch = 200;

/** rules.md: Verdicts on record. Figures reach back 365 days. */
export const refusalDaysKept = 90;
const totalDaysKept = 400;

/** How long verdicts stay on record. */
export function createTallyRetention({ database, now }: { database: Database; now: Now }): Erasure {
  const kept = () => {
    const today = Math.floor(now() / msPerDay);
    return { refusalsSince: today - refusalDaysKept, totalsSince: today - totalDaysKept };
  };
  return createErasure({
    database,
    name: "retention of verdicts",
    isAnyOld: () => hasOlder(database.read, kept()),
    eraseBatch: () => database.transaction(null, ({ sql }) => eraseOldest(sql, kept(), rowsPerBatch)),
    onFailure: (error) => log.error("Old verdicts stay: {error}", { error }),
  });
}
