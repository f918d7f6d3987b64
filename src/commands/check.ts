import { readConfig } from "../config/config.ts";
import { checkDatabase } from "../db/copies/check.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { databaseFile, refuseMissingDatabase } from "./data.ts";
import { checkOnPostgres } from "./postgres-data.ts";
import type { Command } from "./terminal/command.ts";

export const check: Command = {
  usage: "check",
  summary: "Check the database: every balance against its ledger, every count against its rows",
  help: `The servers may keep running. It changes nothing and reads everything, which takes a minute with millions of keys.
An embedded database gets the same checks as a backup.`,
  async run(system) {
    const config = readConfig(system.environment);
    if (config.postgres) await checkOnPostgres(config.postgres);
    else {
      refuseMissingDatabase(config);
      checkDatabase(databaseFile(config), releasedMigrations());
    }
    system.print("The database is intact: balances, orders and counts are correct.");
  },
};
