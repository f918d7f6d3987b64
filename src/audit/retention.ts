import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/maintenance.ts";
import { eraseOldest, hasOlder, moveHorizon } from "./store.ts";

const log = getLogger(["latchkey", "audit"]);

/** Rows erased in one batch, which takes 2 to 3 ms. */
const rowsPerBatch = 200;

interface RetentionParts {
  database: Database;
  /** 0 keeps all. */
  auditDays: number;
  now: Now;
}

/** How long the audit log is kept (rules.md: Recording). */
export function createRetention({ database, auditDays, now }: RetentionParts): Erasure {
  const keptSince = () => now() - auditDays * msPerDay;
  return createErasure({
    database,
    name: "retention of the record",
    isAnyOld: async () => auditDays > 0 && (await hasOlder(database.read, keptSince())),
    eraseBatch: () =>
      database.transaction(null, async ({ sql }) => {
        const since = keptSince();
        await moveHorizon(sql, since);
        await eraseOldest(sql, since, rowsPerBatch);
      }),
    onFailure: (error) => log.error("Old rows of the record stay: {error}", { error }),
  });
}
