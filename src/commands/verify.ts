import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config/config.ts";
import { OperatorError } from "../core/operator-error.ts";
import { checkDatabase } from "../db/copies/check.ts";
import { takeIn } from "../db/copies/read-backup.ts";
import { makeUnfinishedFolder, type UnfinishedFolder } from "../db/copies/snapshot.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { cannotRestore, sourceOf, withJournal } from "./backup-source.ts";
import { refusePostgres } from "./postgres-data.ts";
import { exitWhenAskedToStop } from "./stop-signals.ts";
import type { Command } from "./terminal/command.ts";

export const verify: Command = {
  usage: "verify <file>",
  summary: "Say whether a backup could be restored: a file, a listed name, latest, or - for the standard input",
  help: "It is asked everything that restore asks. For that it is copied to the folder for temporary files, and removed again.",
  operands: ["file"],
  async run(system, [given = ""]) {
    refusePostgres(readConfig(system.environment), "a dump is verified by pg_restore into an empty database.");
    const { source, called } = await sourceOf(given, system);
    exitWhenAskedToStop();
    const unfinished = makeTemporaryFolder();
    try {
      const copy = join(unfinished.path, "latchkey.db");
      const wal = await takeIn(source, copy);
      await new Promise(setImmediate);
      checkDatabase(copy, releasedMigrations());
      system.print(`Checked ${withJournal(called, wal)}: it can be restored.`);
    } catch (error) {
      throw cannotRestore(called, error);
    } finally {
      unfinished.remove();
    }
  },
};

function makeTemporaryFolder(): UnfinishedFolder {
  try {
    return makeUnfinishedFolder(tmpdir());
  } catch (error) {
    throw new OperatorError(
      `No copy can be made to verify: ${(error as Error).message}. Set TMPDIR to another folder.`,
    );
  }
}
