import { readConfig } from "../config/config.ts";
import { withoutTriggers } from "../db/append-only.ts";
import { connect } from "../db/connection.ts";
import { eraseReseller } from "../resellers/erasure.ts";
import { openExclusiveDatabase } from "./data.ts";
import { printCounts, runOrDryRun } from "./dry-run.ts";
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
    const { database, unlock } = await openExclusiveDatabase(readConfig(system.environment), system);
    try {
      const isPostgres = database.file === null;
      const { name, rows, ...account } = await runOrDryRun({ database, now, isDryRun }, ({ sql }) =>
        withoutTriggers(sql, { isPostgres }, () => eraseReseller(sql, { username, at: now() })),
      ).finally(() => database.close());
      print(isDryRun ? `${account.username} would become ${name}:` : `${account.username} is now ${name}:`);
      printCounts(rows, print);
      if (isDryRun) print("Nothing was changed. Without --dry-run the reseller is erased.");
      else if (database.file !== null) writeAgain(database.file);
    } finally {
      await unlock();
    }
  },
};

/** Until then deleted texts stay in free pages of the file. PostgreSQL removes them by itself. */
function writeAgain(file: string): void {
  const connection = connect(file);
  connection.run("VACUUM");
  connection.close(true);
}
