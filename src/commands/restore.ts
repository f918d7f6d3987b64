import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readConfig } from "../config/config.ts";
import { isoOf, msPerHour } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { restoreDatabase } from "../db/copies/restore.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { newestInstant } from "../db/newest-instant.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { cannotRestore, sourceOf, withJournal } from "./backup-source.ts";
import { databaseFile, takeDataFolder } from "./data.ts";
import { refusePostgres } from "./postgres-data.ts";
import { exitWhenAskedToStop } from "./stop-signals.ts";
import type { Command, System } from "./terminal/command.ts";

/** Clocks differ by seconds. A database from further ahead was written by one that was wrong, or this one is. */
const aheadMsMax = msPerHour;

export const restore: Command = {
  usage: "restore <file>",
  summary: "Put a backup in the place of the database: a file, a listed name, latest, or - for the standard input",
  help: `The server must not be running. A file that is damaged, foreign or newer is refused, and the database stays as it was.
The old database is kept beside the new one, which gets its owner and mode; everybody signs in again.
Changes in a -wal beside the file come along.`,
  operands: ["file"],
  async run(system, [given = ""]) {
    const config = readConfig(system.environment);
    refusePostgres(config, "stop every server, and put a dump back with pg_restore into an empty database.");
    if (!existsSync(config.dataFolder)) {
      throw new OperatorError(
        `There is no folder ${resolve(config.dataFolder)}. Set DATA_DIR, or make the folder first.`,
      );
    }
    const { source, name, called } = await sourceOf(given, system);
    const unlock = takeDataFolder(config, system);
    exitWhenAskedToStop();
    try {
      const restored = { source, name, file: databaseFile(config), migrations: releasedMigrations(), now: system.now };
      const { kept, wal, owner } = await restoreDatabase(restored);
      system.print(`Restored ${withJournal(called, wal)}.`);
      if (owner !== null) system.print(`It belongs to the user ${owner}, so that the server can open it.`);
      system.print(
        kept ? `The database as it was is kept in ${kept}` : `There was no database in ${resolve(config.dataFolder)}.`,
      );
      await warnOfTimeAhead(databaseFile(config), system);
    } catch (error) {
      throw cannotRestore(called, error);
    } finally {
      unlock();
    }
  },
};

/** Time never runs backwards, so a server on such a database stands still until the clock has caught up. */
async function warnOfTimeAhead(file: string, { now, note }: System): Promise<void> {
  const database = openSqlite(file);
  const newest = await newestInstant(database.read);
  await database.close();
  if (newest - now() <= aheadMsMax) return;
  note(
    `Times in it reach to ${isoOf(newest)}, and the clock here says ${isoOf(now())}. Until it has caught up, the server's time stands still and no key expires: put the clock right or, if it is right, restore a backup from before those times.`,
  );
}
