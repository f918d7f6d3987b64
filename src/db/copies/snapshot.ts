import type { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import type { Migration } from "../migrate/applied-migrations.ts";
import { checkDatabase } from "./check.ts";
import { makeUnfinishedFolder } from "./unfinished.ts";

/**
 * Writes a consistent copy of an open database to `file` in its data folder, while others go on reading and writing. The
 * copy is checked and on the disk before it gets its name, so a file of that name is always whole. Throws
 * `OperatorError` where `file` already exists or the copy could not be restored.
 */
export function copyDatabase(connection: Connection, file: string, migrations: Migration[]): void {
  refuseExisting(file);
  const unfinished = makeUnfinishedFolder(dirname(file), { isDataFolder: true });
  try {
    const copy = join(unfinished.path, "latchkey.db");
    writeSnapshot(connection, copy);
    checkDatabase(copy, migrations);
    nameFile(copy, file);
  } finally {
    unfinished.remove();
  }
}

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} already exists.`);
}

/** One instant of an open database, as a file that stands alone. */
export function writeSnapshot(connection: Connection, file: string): void {
  connection.query("VACUUM INTO ?").run(file);
}

/** Gives what was written its name, in one step that survives a power cut. */
export function nameFile(written: string, file: string): void {
  flush(written);
  renameSync(written, file);
  flush(dirname(file));
}

function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
