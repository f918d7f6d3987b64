import { createAuditedChanges, type Done } from "../accounts/audited-changes.ts";
import type { Now } from "../core/clock.ts";
import type { Database, Unit } from "../db/contract.ts";
import type { System } from "./terminal/command.ts";

/** Rolls a dry run back at its end. */
class DryRun<Result> extends Error {
  constructor(readonly result: Result) {
    super("a dry run");
  }
}

/** Makes an operator's change and its audit log row in one transaction, or rolls it back (`--dry-run`). */
export async function runOrDryRun<Result>(
  { database, now, isDryRun }: { database: Database; now: Now; isDryRun: boolean },
  work: (unit: Unit) => Promise<Done<Result>>,
): Promise<Result> {
  try {
    return await createAuditedChanges({ database, now }).carryOut("command line", async (unit) => {
      const done = await work(unit);
      if (isDryRun) throw new DryRun(done.result);
      return done;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

/** Prints how many rows of each table are affected. */
export function printCounts(counts: ReadonlyMap<string, number>, print: System["print"]): void {
  const width = Math.max(...[...counts.keys()].map((table) => table.length));
  for (const [table, count] of counts) print(`  ${table.padEnd(width)}  ${count}`);
}
