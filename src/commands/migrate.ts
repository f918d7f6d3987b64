import { readConfig } from "../config/config.ts";
import { migrate as migrateFile, releasedMigrations } from "../db/migrate/migrations.ts";
import { claimDataFolder, databaseFile, makeDataFolder, printMigrated } from "./data.ts";
import { migrateOnPostgres } from "./postgres-data.ts";
import type { Command } from "./terminal/command.ts";

export const migrate: Command = {
  usage: "migrate",
  summary: "Upgrade the database to this version after copying it, or create it",
  help: "`serve` does this by itself. The server must not be running. On PostgreSQL, make a copy with pg_dump first.",
  async run(system) {
    const config = readConfig(system.environment);
    if (config.postgres) return migrateOnPostgres(config.postgres, system);
    makeDataFolder(config.dataFolder);
    const unlock = claimDataFolder(config);
    try {
      const report = migrateFile(databaseFile(config), releasedMigrations(), system.now, system.print);
      printMigrated(report, config, system);
      if (report.applied.length === 0) system.print(`Nothing to do: the database is at ${report.version}.`);
    } finally {
      unlock();
    }
  },
};
