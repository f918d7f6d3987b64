import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import * as store from "./tally-store.ts";

const log = getLogger(["latchkey", "keys"]);

/** rules.md: Verdicts on record. Figures reach back 365 days. */
export const refusalDaysKept = 90;
const totalDaysKept = 400;

/** Rows of a table erased in one transaction, so that writers wait no longer for it than for any other. */
const rowsAtOnce = 500;

/** How long verdicts stay on record: erased at the start and once a day, as the record of acts is (src/audit/retention.ts). */
export function createTallyRetention({ database, now }: { database: Database; now: Now }) {
  let isStopping = false;

  return {
    eraseOld,
    /** Answers how to stop. */
    begin() {
      const erase = () =>
        database
          .alone("retention of verdicts", eraseOld)
          .catch((error) => log.error("Old verdicts stay: {error}", { error }));
      void erase();
      const timer = setInterval(erase, msPerDay).unref();
      return () => {
        isStopping = true;
        clearInterval(timer);
      };
    },
  };

  async function eraseOld(): Promise<void> {
    const today = Math.floor(now() / msPerDay);
    const kept = { refusalsSince: today - refusalDaysKept, totalsSince: today - totalDaysKept };
    while (!isStopping && (await store.hasOlder(database.read, kept))) {
      await database.transaction((sql) => store.eraseOldest(sql, kept, rowsAtOnce));
    }
  }
}
