import { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Config, readConfig, refuseNoPostgres } from "../config/config.ts";
import { creditsOf } from "../core/credits.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import { checkDatabase } from "../db/copies/check.ts";
import { makeUnfinishedFolder, nameFile, refuseExisting, writeSnapshot } from "../db/copies/snapshot.ts";
import { giveToOwnerOf } from "../db/files.ts";
import { isBehind, releasedMigrations } from "../db/migrate/migrations.ts";
import { type MoveReport, moveToFile, moveToPostgres } from "../db/migrate/postgres-move.ts";
import { refuseUnfitServer } from "../db/postgres/postgres-server.ts";
import { claimDataFolder, databaseFile, keptSecretFile, refuseMissingDatabase } from "./data.ts";
import { holdStart, holdStopped } from "./postgres-data.ts";
import { exitOnStopSignal } from "./stop-signals.ts";
import type { Command, System } from "./terminal/command.ts";

/** Enough of a checksum to compare two. */
const checksumCharacters = 12;

export const move: Command = {
  usage: "move [--to <url>] [--to-file <file>]",
  summary: "Copy the embedded database to an empty PostgreSQL, or back, and compare every row",
  help: `The server must not be running. The embedded database is not changed, and PostgreSQL gets everything or nothing.
Without --to the target is DATABASE_URL or DATABASE_URL_FILE, which no list of processes shows.
With --to-file, that PostgreSQL is copied into a new embedded database. It is not changed.
The servers on the copy need the SECRET that was used before.`,
  options: { to: { type: "string" }, "to-file": { type: "string" } },
  async run(system, _operands, { to, "to-file": file }) {
    const config = readConfig(system.environment);
    if (to !== undefined && file !== undefined) {
      throw new OperatorError("Give either --to or --to-file.", exitCodes.wrongUsage);
    }
    if (file !== undefined) return moveBack(file as string, config, system);
    const url = targetOf(config, to as string | undefined);
    refuseMissingDatabase(config);
    const unlock = claimDataFolder(config);
    try {
      await refuseUnfitServer({ url, listenUrl: url, poolSize: 1 });
      exitOnStopSignal();
      const release = await holdStart(url);
      const report = await moveChecked(databaseFile(config), url, system).finally(release);
      printMoved(report, config, system);
    } finally {
      system.progress(null);
      unlock();
    }
  },
};

function targetOf({ postgres }: Config, to: string | undefined): string {
  if (to !== undefined) refuseNoPostgres("--to", to);
  const url = to ?? postgres?.listenUrl;
  if (url) return url;
  throw new OperatorError("Name the PostgreSQL with --to, or in DATABASE_URL.", exitCodes.wrongUsage);
}

/** Moves a checked copy of the database, which shows one instant even if another process writes. */
async function moveChecked(file: string, url: string, system: System): Promise<MoveReport> {
  const migrations = releasedMigrations();
  if (isBehind(file, migrations)) {
    throw new OperatorError("The database has an older version. Upgrade it first with `latchkey migrate`.");
  }
  const unfinished = makeUnfinishedFolder(dirname(file), { isDataFolder: true });
  try {
    system.progress("Checking the database …");
    const copy = join(unfinished.path, "latchkey.db");
    const source = new Connection(file, { readwrite: true, create: false });
    writeSnapshot(source, copy);
    source.close();
    checkDatabase(copy, migrations);
    return await moveToPostgres({ file: copy, url, at: system.now(), onProgress: showProgress(system) });
  } finally {
    unfinished.remove();
  }
}

async function moveBack(given: string, { postgres }: Config, system: System): Promise<void> {
  if (!postgres) throw new OperatorError("Name the PostgreSQL in DATABASE_URL.", exitCodes.wrongUsage);
  const file = resolve(given);
  const folder = dirname(file);
  if (!existsSync(folder)) throw new OperatorError(`There is no folder ${folder}.`);
  refuseTaken(file);
  exitOnStopSignal();
  const release = await holdStopped(postgres);
  const unfinished = makeUnfinishedFolder(folder, { isDataFolder: true });
  try {
    const made = join(unfinished.path, "latchkey.db");
    const move = { file: made, url: postgres.listenUrl, at: system.now(), onProgress: showProgress(system) };
    const report = await moveToFile(move);
    system.progress("Checking the database …");
    checkDatabase(made, releasedMigrations());
    giveToOwnerOf(folder, made);
    refuseTaken(file);
    nameFile(made, file);
    printRows(report, system);
    system.print(`The embedded database is ${file}. PostgreSQL was not changed.`);
    system.print(
      "Start the server without DATABASE_URL, with this file as latchkey.db in DATA_DIR and the same SECRET.",
    );
  } finally {
    system.progress(null);
    unfinished.remove();
    await release();
  }
}

/** A journal that lies there would be applied to the new database. */
function refuseTaken(file: string): void {
  for (const suffix of ["", "-wal", "-journal"]) refuseExisting(file + suffix);
}

function showProgress({ progress }: System) {
  const words = { copying: "Copying", comparing: "Comparing" };
  return (step: keyof typeof words, table: string, share: number) =>
    progress(`${words[step]} ${table} … ${Math.round(share * 100)} %`);
}

function printRows({ tables, ledgerTenths }: MoveReport, { print, progress }: System): void {
  progress(null);
  const width = Math.max(...tables.map(({ name }) => name.length));
  for (const { name, rows, checksum } of tables) {
    print(`${name.padEnd(width)}  ${String(rows).padStart(9)} rows  ${checksum.slice(0, checksumCharacters)}`);
  }
  print(`Every row is the same on both sides, and the ledger adds up to ${creditsOf(ledgerTenths)} credits.`);
}

function printMoved(report: MoveReport, config: Config, system: System): void {
  const { print } = system;
  printRows(report, system);
  print(`The embedded database in ${resolve(config.dataFolder)} was not changed.`);
  const secret = keptSecretFile(config);
  const needed = config.secret === null && existsSync(secret) ? `SECRET_FILE=${resolve(secret)}` : "the same SECRET";
  print(`Start the servers with DATABASE_URL and ${needed}.`);
}
