import { getLogger } from "@logtape/logtape";
import { msPerDay, type Now } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/erasure.ts";
import { erasureChore } from "./chores.ts";
import { hasOlder } from "./store.ts";

const log = getLogger(["latchkey", "audit"]);

interface RetentionParts {
  database: Database;
  /** 0 keeps all. */
  auditDays: number;
  now: Now;
}

/** How long the record is kept (rules.md: Recording). */
export function createRetention({ database, auditDays, now }: RetentionParts): Erasure {
  const keptSince = () => now() - auditDays * msPerDay;
  return createErasure({
    database,
    name: "retention of the record",
    isAnyOld: async () => auditDays > 0 && (await hasOlder(database.read, keptSince())),
    eraseSlice: () => database.aside(erasureChore, { keptSince: keptSince() }),
    onFailure: (error) => log.error("Old rows of the record stay: {error}", { error }),
  });
}
