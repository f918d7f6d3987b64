import { dirname, join } from "node:path";
import { readConfig } from "../config.ts";
import { checkDatabase, openUntrusted } from "../database/check.ts";
import { busyTimeoutMs } from "../database/connection.ts";
import { releasedMigrations } from "../database/migrations.ts";
import { nameFile, refuseExisting, writeSnapshot } from "../database/snapshot.ts";
import { makeUnfinishedFolder } from "../database/unfinished.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import { type Command, standardStream } from "./command.ts";
import { databaseFile, refuseMissingDatabase } from "./data.ts";
import { exitWhenAskedToStop } from "./stop-signals.ts";

export const backup: Command = {
  usage: "backup <file>",
  summary: "Write a checked, consistent copy of the whole database (- is the standard output)",
  help: `The server may go on running. The copy is asked everything that restore will ask before it is written.
It holds password hashes: keep it like the database itself.`,
  operands: ["file"],
  async run(system, [target = ""]) {
    const config = readConfig(system.environment);
    const database = databaseFile(config);
    refuseMissingDatabase(config);
    if (target !== standardStream) refuseExisting(target);
    else if (system.isTerminal("output")) {
      throw new OperatorError("A terminal cannot hold a database: send it to a file or a pipe.", exitCodes.wrongUsage);
    }
    exitWhenAskedToStop();
    try {
      if (target === standardStream) await makeCopy(database, dirname(database), system.sendFile);
      else await makeCopy(database, dirname(target), (copy) => nameFile(copy, target));
    } catch (error) {
      const why = error instanceof OperatorError ? ", because it could not be restored" : "";
      throw new OperatorError(`No backup was made${why}. ${(error as Error).message}`);
    }
    if (target === standardStream) system.note("The copy was checked, and sent.");
    else system.print(`Wrote ${target}, and checked it.`);
  },
};

/** The copy lies in `folder` until it is whole and checked. Between the steps a signal may end the process. */
async function makeCopy(
  database: string,
  folder: string,
  handOver: (copy: string) => void | Promise<void>,
): Promise<void> {
  const unfinished = makeUnfinishedFolder(folder, { isDataFolder: folder === dirname(database) });
  try {
    const copy = join(unfinished.path, "latchkey.db");
    writeSnapshotOf(database, copy);
    await new Promise(setImmediate);
    checkDatabase(copy, releasedMigrations());
    await new Promise(setImmediate);
    await handOver(copy);
  } finally {
    unfinished.remove();
  }
}

function writeSnapshotOf(database: string, copy: string): void {
  const connection = openUntrusted(database);
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    writeSnapshot(connection, copy);
  } finally {
    connection.close();
  }
}
