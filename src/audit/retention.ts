import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { erasureChore } from "./chores.ts";
import { hasOlder } from "./store.ts";

const log = getLogger(["latchkey", "audit"]);

/** How long the record is kept (rules.md: Recording). */
export interface Retention {
  /** Erases the rows that are too old, slice by slice. */
  eraseOld(): Promise<void>;
  /** Does so now and once a day. Answers how to stop. */
  begin(): () => void;
}

/** `auditDays` 0 keeps all. */
export function createRetention({
  database,
  auditDays,
  now,
}: {
  database: Database;
  auditDays: number;
  now: Now;
}): Retention {
  let isStopping = false;

  return {
    eraseOld,
    begin() {
      const erase = () =>
        database
          .alone("retention of the record", eraseOld)
          .catch((error) => log.error("Old rows of the record stay: {error}", { error }));
      void erase();
      const timer = setInterval(erase, msPerDay).unref();
      return () => {
        isStopping = true;
        clearInterval(timer);
      };
    },
  };

  async function eraseOld(): Promise<void> {
    if (auditDays === 0) return;
    const keptSince = now() - auditDays * msPerDay;
    while (!isStopping && (await hasOlder(database.read, keptSince))) {
      await database.aside(erasureChore, { keptSince });
    }
  }
}
