import { readConfig } from "../config/config.ts";
import { withoutTriggers } from "../db/append-only.ts";
import { eraseReseller } from "../resellers/erasure.ts";
import { openDatabaseAlone } from "./data.ts";
import { carryOutOrTry, printCounts } from "./dry-run.ts";
import type { Command } from "./terminal/command.ts";

export const resellersErase: Command = {
  usage: "resellers erase <username> [--dry-run]",
  summary: "Erase the personal data of a suspended reseller",
  help: `The servers must not be running. Username, password, two-factor, sessions and addresses are erased, also in the
audit log. Keys, orders, notes, the ledger and the audit log stay, under the name erased-<id>. This cannot be undone.
With --dry-run nothing is changed.`,
  operands: ["username"],
  options: { "dry-run": { type: "boolean" } },
  async run(system, [username = ""], { "dry-run": dryRun = false }) {
    const { now, print } = system;
    const isDryRun = Boolean(dryRun);
    const { database, unlock } = await openDatabaseAlone(readConfig(system.environment), system);
    try {
      const isPostgres = database.file === null;
      const erased = await carryOutOrTry({ database, now, isDryRun }, ({ sql }) =>
        withoutTriggers(sql, { isPostgres }, () => eraseReseller(sql, { username, at: now() })),
      );
      print(isDryRun ? `${erased.username} would become ${erased.name}:` : `${erased.username} is now ${erased.name}:`);
      printCounts(erased.rows, print);
      if (isDryRun) print("Nothing was changed. Without --dry-run the reseller is erased.");
    } finally {
      await database.close();
      await unlock();
    }
  },
};
