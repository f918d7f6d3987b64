import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createSeal } from "../accounts/sealed.ts";
import { findKept, isKeptName } from "../backups/kept-backups.ts";
import { newestInstant } from "../clock/instants-store.ts";
import { type Config, readConfig } from "../config/config.ts";
import { isoOf, msPerHour } from "../core/clock.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import type { Database } from "../db/contract.ts";
import { checkDatabase } from "../db/copies/check.ts";
import { type BackupSource, copyBackup } from "../db/copies/read-backup.ts";
import { restoreDatabase } from "../db/copies/restore.ts";
import { makeUnfinishedFolder } from "../db/copies/snapshot.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { activeSigningKey } from "../proof/signing-key-store.ts";
import { openSeed } from "../proof/signing-keys.ts";
import { claimDataFolder, databaseFile, keptSecretFile, refuseClosed, secretsFor } from "./data.ts";
import { refusePostgres } from "./postgres-data.ts";
import { exitOnStopSignal } from "./stop-signals.ts";
import { type Command, type System, standardStream } from "./terminal/command.ts";

/** Clocks differ by seconds. If a database is further ahead than this, its clock was wrong or ours is. */
const aheadMsMax = msPerHour;

export const restore: Command = {
  usage: "restore <file>",
  summary: "Replace the database with a backup: a file, a listed name, latest, or - for standard input",
  help: `The server must not be running. A damaged, foreign or newer file is refused, and the database stays as it was.
The old database is kept next to the new one, which gets its owner and mode. Everyone signs in again.
A -wal file next to the backup is included.`,
  operands: ["file"],
  async run(system, [given = ""]) {
    const config = readConfig(system.environment);
    refusePostgres(config, "stop every server, and restore a dump with pg_restore into an empty database.");
    refuseClosed(config.dataFolder);
    if (!existsSync(config.dataFolder)) {
      throw new OperatorError(
        `There is no folder ${resolve(config.dataFolder)}. Set DATA_DIR, or create the folder first.`,
      );
    }
    const { source, name, called, others } = await sourceOf(given, system);
    const unlock = claimDataFolder(config);
    exitOnStopSignal();
    try {
      const restored = { source, name, file: databaseFile(config), migrations: releasedMigrations(), now: system.now };
      const { kept, wal, owner } = await restoreDatabase(restored);
      system.print(`Restored ${withJournal(called, wal)}.`);
      if (owner !== null) system.print(`It now belongs to the user ${owner}, so that the server can open it.`);
      system.print(
        kept ? `The previous database is kept in ${kept}` : `There was no database in ${resolve(config.dataFolder)}.`,
      );
      const database = openSqlite(databaseFile(config));
      await warnOfTimeAhead(database, system);
      await saySecret(database, config, system);
      await database.close();
    } catch (error) {
      throw cannotRestore(called, error, others);
    } finally {
      unlock();
    }
  },
};

/** The server's time never runs backwards, so on such a database it stands still until the clock has caught up. */
async function warnOfTimeAhead({ read }: Database, { now, note }: System): Promise<void> {
  const newest = await newestInstant(read);
  if (newest - now() <= aheadMsMax) return;
  note(
    `Its latest time is ${isoOf(newest)}, and the clock here says ${isoOf(now())}. The server's time stands still until the clock has caught up, and no key expires: correct the clock, or run \`latchkey clock repair\`.`,
  );
}

/** Says whether the server will start with the SECRET that is set here. */
async function saySecret({ read }: Database, config: Config, { print, note, ...system }: System): Promise<void> {
  const active = await activeSigningKey(read);
  if (active === null) return;
  const isThere = config.secret !== null || existsSync(keptSecretFile(config));
  const secrets = isThere ? secretsFor(config, { ...system, print, note }) : null;
  if (secrets && openSeed(createSeal({ secrets }), active) !== null) return print("SECRET opens what was restored.");
  note(
    `${isThere ? "SECRET does not open what was restored" : "There is no SECRET here yet"}: set the one that the restored server had, or put its file at ${keptSecretFile(config)}. If it is lost for good, run \`latchkey secret lost --dry-run\`.`,
  );
}

export const verify: Command = {
  usage: "verify <file>",
  summary: "Check whether a backup could be restored: a file, a listed name, latest, or - for standard input",
  help: "Runs the same checks as restore, on a copy in the folder for temporary files.",
  operands: ["file"],
  async run(system, [given = ""]) {
    refusePostgres(readConfig(system.environment), "verify a dump with pg_restore into an empty database.");
    const { source, called, others } = await sourceOf(given, system);
    exitOnStopSignal();
    const unfinished = makeTemporaryFolder();
    try {
      const copy = join(unfinished.path, "latchkey.db");
      const wal = await copyBackup(source, copy);
      await new Promise(setImmediate);
      checkDatabase(copy, releasedMigrations());
      system.print(`Checked ${withJournal(called, wal)}: it can be restored.`);
    } catch (error) {
      throw cannotRestore(called, error, others);
    } finally {
      unfinished.remove();
    }
  },
};

function makeTemporaryFolder() {
  try {
    return makeUnfinishedFolder(tmpdir());
  } catch (error) {
    throw new OperatorError(
      `No copy can be made to verify: ${(error as Error).message}. Set TMPDIR to another folder.`,
    );
  }
}

/**
 * The source of `restore` and `verify`: a file, a backup by its listed name, or standard input. The audit log has it as
 * `name`, messages as `called`. `others` says where to look if it is damaged. Throws `OperatorError`.
 */
async function sourceOf(
  given: string,
  system: System,
): Promise<{ source: BackupSource; name: string; called: string; others?: string }> {
  if (given === standardStream) {
    if (!system.isTerminal("input")) {
      return { source: system.inputBytes(), name: "standard input", called: "standard input" };
    }
    throw new OperatorError("A database cannot be read from a terminal. Use a file or a pipe.", exitCodes.wrongUsage);
  }
  if (existsSync(given) || !isKeptName(given)) return { source: given, name: basename(given), called: given };
  const { backups } = readConfig(system.environment);
  const { name, source } = await findKept(given, backups, system.now());
  const others = "`latchkey backups` lists others";
  if (typeof source !== "string") return { source, name, called: `${name} in S3`, others: `${others}.` };
  const inS3 = backups.s3 ? "; once you move this file away, its copy in S3 is used" : "";
  return { source, name, called: source, others: `${others}${inS3}.` };
}

/** `wal` is the journal that was included. */
function withJournal(called: string, wal: string | null): string {
  return wal ? `${called} with the changes in ${wal}` : called;
}

/** Names the backup in an operator's error, and returns other errors unchanged. */
function cannotRestore(called: string, error: unknown, others = ""): unknown {
  if (!(error instanceof OperatorError)) return error;
  const isDamaged = error.message.includes("is damaged");
  return new OperatorError(`Cannot restore ${called}. ${error.message} ${isDamaged ? others : ""}`.trimEnd());
}
