import { type MovedTimes, moveTimesBack } from "../clock/repair-store.ts";
import { type Config, readConfig } from "../config/config.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { withoutTriggers } from "../db/append-only.ts";
import type { Database } from "../db/contract.ts";
import { compareClock, confirmClock } from "../db/server-clock.ts";
import { eraseWindowsAfter } from "../http/shared-limits-store.ts";
import { newestInstants, openExclusiveDatabase, withDatabase } from "./data.ts";
import { printCounts, runOrDryRun } from "./dry-run.ts";
import type { Command, System } from "./terminal/command.ts";

/** This command did not exist before this time, so an earlier clock is wrong and must not be written to any row. */
const earliestMs = Date.UTC(2026, 10, 1);

export const clockConfirm: Command = {
  usage: "clock confirm",
  summary: "Confirm that the clock is right even though it is more than 31 days ahead of the database",
  help: `Use it if the panel was switched off for that long, or if the database was restored by other tools.
A running server sells again within 10 seconds.`,
  run: ({ print, ...system }) =>
    withDatabase({ ...system, print, note: () => {} }, async ({ changes, clock, newestMs }) => {
      if (!clock.isAhead()) return print("The clock is not ahead of the database: there is nothing to confirm.");
      await changes.carryOut("command line", async ({ sql }) => {
        await confirmClock(sql);
        return { result: undefined, record: { action: "clock_confirmed", target: "database", details: {} } };
      });
      print(
        `Confirmed the clock: it is ${isoOf(clock.now())}, and the newest row or backup is from ${isoOf(newestMs)}.`,
      );
    }),
};

export const clockRepair: Command = {
  usage: "clock repair [--dry-run]",
  summary: "Move times in the future back to now, after the server ran with a clock that was ahead",
  help: `The servers must not be running. Keys that were created in the future keep the time they had left.
Make a backup first. With --dry-run nothing is changed.`,
  options: { "dry-run": { type: "boolean" } },
  async run(system, _operands, { "dry-run": isDryRun = false }) {
    const config = readConfig(system.environment);
    const now = system.now();
    if (now < earliestMs) throw new OperatorError(`The clock says ${isoOf(now)}, which is wrong. Correct it first.`);
    const { database, unlock } = await openExclusiveDatabase(config, system);
    try {
      await refuseAhead(database, config, now);
      printMoved(await repair(database, now, Boolean(isDryRun)), Boolean(isDryRun), now, system);
    } finally {
      await database.close();
      await unlock();
    }
  },
};

async function refuseAhead(database: Database, config: Config, now: number): Promise<void> {
  const { isAhead, newestMs } = await compareClock(database, newestInstants(config), now);
  if (!isAhead) return;
  throw new OperatorError(
    `The clock says ${isoOf(now)}, and the newest row and backup are from ${isoOf(newestMs)}. Correct it or, if it is right, run \`latchkey clock confirm\` first.`,
  );
}

function repair(database: Database, now: number, isDryRun: boolean): Promise<MovedTimes> {
  const isPostgres = database.file === null;
  return runOrDryRun({ database, now: () => now, isDryRun }, async ({ sql }) => {
    const moved = await withoutTriggers(sql, { isPostgres }, () => moveTimesBack(sql, now));
    if (isPostgres) await eraseWindowsAfter(sql, now);
    if (moved.size === 0) return { result: moved, record: null };
    const times = [...moved.values()].reduce((sum, count) => sum + count);
    const record = { action: "clock_repaired", target: "database", details: { times } } as const;
    return { result: moved, record };
  });
}

function printMoved(moved: MovedTimes, isDryRun: boolean, now: number, { print }: System): void {
  if (moved.size === 0) {
    print(`No time in the database is later than ${isoOf(now)}.`);
    return;
  }
  print(isDryRun ? `Times later than ${isoOf(now)}:` : `Moved back to ${isoOf(now)}:`);
  printCounts(moved, print);
  if (isDryRun) print("Nothing was changed. Without --dry-run they are moved back to now.");
}
