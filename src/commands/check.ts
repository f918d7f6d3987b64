import { readConfig } from "../config/config.ts";
import { checkDatabase } from "../db/copies/check.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { databaseFile, refuseMissingDatabase } from "./data.ts";
import { checkOnPostgres } from "./postgres-data.ts";
import type { Command } from "./terminal/command.ts";

export const check: Command = {
  usage: "check",
  summary: "Ask the database whether it is whole: every balance its ledger, every count what it counts",
  help: `The servers may go on running. It changes nothing, and reads all there is: a minute where there are millions of keys.
An embedded database is asked all that a backup is asked.`,
  async run(system) {
    const config = readConfig(system.environment);
    if (config.postgres) await checkOnPostgres(config.postgres);
    else {
      refuseMissingDatabase(config);
      checkDatabase(databaseFile(config), releasedMigrations());
    }
    system.print("The database is whole: balances, orders and counts are what they come to.");
  },
};
