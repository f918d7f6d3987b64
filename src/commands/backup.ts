import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import { makeBackup, type Progress } from "../backups/backup-work.ts";
import { listKept, makeKeptBackup } from "../backups/kept-backups.ts";
import type { Step } from "../backups/schema.ts";
import { type Config, readConfig } from "../config/config.ts";
import { secretSentence } from "../config/warnings.ts";
import { isoOf } from "../core/clock.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import { refuseExisting } from "../db/copies/snapshot.ts";
import { isBehind, releasedMigrations } from "../db/migrate/migrations.ts";
import { compareClock } from "../db/server-clock.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { databaseFile, newestInstants, refuseMissingDatabase } from "./data.ts";
import { refusePostgres } from "./postgres-data.ts";
import { exitOnStopSignal } from "./stop-signals.ts";
import { type Command, type System, standardStream } from "./terminal/command.ts";

export const backup: Command = {
  usage: "backup [<file>]",
  summary: "Write a checked, consistent copy of the whole database (- for standard output)",
  help: `The server may keep running. The copy passes the same checks as a restore before it is written.
A file name that ends in .zst is compressed. Without a file name it is stored like a scheduled backup: compressed, in
BACKUP_DIR and BACKUP_S3, and older ones are removed by BACKUP_KEEP. It contains password hashes: protect it like the database.`,
  operands: ["file"],
  mayLackOperands: true,
  async run(system, [target]) {
    const config = readConfig(system.environment);
    refusePostgres(
      config,
      "back it up with pg_dump --format=custom --file=latchkey.dump, which may run next to the servers.",
    );
    refuseMissingDatabase(config);
    if (target === standardStream && system.isTerminal("output")) {
      throw new OperatorError(
        "A database cannot be written to a terminal. Send it to a file or a pipe.",
        exitCodes.wrongUsage,
      );
    }
    if (target !== undefined && target !== standardStream) refuseExisting(target);
    exitOnStopSignal();
    const made = target === undefined ? await keep(config, system) : await write(target, config, system);
    await recordInAuditLog(config, system, made).catch((error) =>
      system.note(`The backup could not be recorded in the audit log. ${(error as Error).message}`),
    );
    if (target === standardStream) system.note(secretSentence);
    else system.print(secretSentence);
    if (made.notSent) throw new OperatorError(`The backup is not in S3. ${made.notSent}`);
  },
};

interface Written {
  /** Its name in the audit log. */
  name: string;
  notSent: string | null;
}

async function write(target: string, config: Config, system: System): Promise<Written> {
  const isSent = target === standardStream;
  const made = makeBackup({
    database: databaseFile(config),
    file: isSent ? null : target,
    isCompressed: target.endsWith(".zst"),
    isForServer: false,
    s3: null,
    onProgress: showProgress(system),
    handOver: isSent ? (copy) => system.send(createReadStream(copy)) : undefined,
  });
  await explainingFailure(made, system);
  if (isSent) system.note("The copy was checked and sent.");
  else system.print(`Wrote ${target} and checked it.`);
  return { name: isSent ? "standard output" : basename(target), notSent: null };
}

async function keep(config: Config, system: System): Promise<Written> {
  const { backups } = config;
  const madeAt = system.now();
  const retentionNow = await retentionNowFor(config, system);
  const made = makeKeptBackup({
    settings: backups,
    database: databaseFile(config),
    madeAt,
    retentionNow,
    onProgress: showProgress(system),
  });
  const { name, notSent, removed, notRemoved } = await explainingFailure(made, system);
  system.print(`Wrote ${name} in ${backups.folder} and checked it.`);
  if (backups.s3 && !notSent) system.print("It was also copied to S3 and read back.");
  for (const each of removed) system.print(`Removed ${each}, which exceeds BACKUP_KEEP.`);
  for (const each of notRemoved) system.note(`${each.name} could not be removed: ${each.reason}`);
  return { name, notSent };
}

/**
 * No backup is removed while the clock is ahead, nor for a database of an older version, whose rows are not compared
 * with the clock.
 */
async function retentionNowFor(config: Config, { now }: System): Promise<number> {
  if (isBehind(databaseFile(config), releasedMigrations())) return 0;
  const database = openSqlite(databaseFile(config));
  try {
    const { isAhead } = await compareClock(database, newestInstants(config), now());
    return isAhead ? 0 : now();
  } finally {
    await database.close();
  }
}

async function explainingFailure<Result>(made: Promise<Result>, { progress }: System): Promise<Result> {
  try {
    return await made;
  } catch (error) {
    const why = error instanceof OperatorError ? ", because the copy could not be restored" : "";
    throw new OperatorError(`No backup was made${why}. ${(error as Error).message}`);
  } finally {
    progress(null);
  }
}

/**
 * A failure here does not fail the backup, which is needed most when nothing more can be written. Older databases have
 * no audit log.
 */
async function recordInAuditLog(config: Config, { now }: System, { name, notSent }: Written): Promise<void> {
  if (isBehind(databaseFile(config), releasedMigrations())) return;
  const database = openSqlite(databaseFile(config));
  try {
    const details = { file: name, ...(notSent && { notInS3: true as const }) };
    const record = { action: "backup_made", target: "database", details } as const;
    await createAuditedChanges({ database, now }).carryOut("command line", async () => ({ result: undefined, record }));
  } finally {
    await database.close();
  }
}

export const backups: Command = {
  usage: "backups",
  summary: "List the backups in BACKUP_DIR and BACKUP_S3, newest first",
  help: "Each with the name that restore and verify accept. Backups with other names are not listed.",
  async run(system) {
    const config = readConfig(system.environment);
    refusePostgres(config, "its backups are made with pg_dump.");
    const settings = config.backups;
    const { backups: kept, s3Failure } = await listKept(settings);
    for (const { name, madeAt, bytes, places } of kept) {
      const where = places.map((place) => (place === "s3" ? "S3" : "here")).join(" and in ");
      system.print(
        `${name}  ${isoOf(madeAt).slice(0, 16).replace("T", " ")}  ${sizeText(bytes).padStart(9)}  ${where}`,
      );
    }
    if (kept.length === 0) system.print(`There is no backup in ${settings.folder}${settings.s3 ? " or in S3" : ""}.`);
    if (s3Failure) throw new OperatorError(s3Failure);
  },
};

function sizeText(bytes: number): string {
  const isSmall = bytes < 2 ** 20;
  return `${(bytes / (isSmall ? 2 ** 10 : 2 ** 20)).toFixed(1)} ${isSmall ? "KB" : "MB"}`;
}

const words: Record<Step, string> = {
  copying: "Copying the database",
  checking: "Checking the copy",
  compressing: "Compressing the copy",
  sending: "Sending the copy to S3",
  readingBack: "Reading the copy back",
};

function showProgress({ progress }: System): (progress: Progress) => void {
  return ({ step, share }) =>
    progress(share === null ? `${words[step]} …` : `${words[step]} … ${Math.round(share * 100)} %`);
}
