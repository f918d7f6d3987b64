import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { msPerDay } from "../../core/clock.ts";
import { openUntrusted } from "./check.ts";

/** How long replaced databases are kept. The newest always stays. */
export const replacedDaysMax = 30;

/** Comes after the database's name, and is followed by the time of the restore in milliseconds. */
const replaced = ".replaced.";

const journals = ["-wal", "-shm"];

/** Keeps the old database next to the new one, under a name with the time. Its journal is applied first. */
export function keepReplaced(file: string, now: number): string | null {
  if (!existsSync(file)) return null;
  const kept = `${file}${replaced}${now}`;
  try {
    const connection = openUntrusted(file);
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
  } catch {
    // A restore may be needed because the database is too damaged to open. Its files are kept as they are.
  }
  // A link, not a move: if the process is killed here, the old database still has its name.
  linkSync(file, kept);
  // If the journal stayed, it would be applied to the new database.
  for (const suffix of journals) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  return kept;
}

/**
 * If a restore was killed at its last step, the old database has both names. The caller holds the data folder's lock.
 */
export function removeSecondName(file: string): void {
  if (!existsSync(file) || statSync(file).nlink === 1) return;
  for (const { path } of replacedCopiesOf(file)) {
    if (statSync(path).ino !== statSync(file).ino) continue;
    rmSync(path);
    for (const suffix of journals) if (existsSync(path + suffix)) renameSync(path + suffix, file + suffix);
  }
}

/** Removes all but the newest that were replaced more than `replacedDaysMax` days ago, and returns their paths. */
export function removeOldReplaced(file: string, now: number): string[] {
  const [_newest, ...others] = replacedCopiesOf(file).sort((a, b) => b.at - a.at);
  const old = others.filter(({ at }) => at < now - replacedDaysMax * msPerDay).map(({ path }) => path);
  for (const path of old) for (const suffix of ["", ...journals]) rmSync(path + suffix, { force: true });
  return old;
}

function replacedCopiesOf(file: string): { path: string; at: number }[] {
  const start = basename(file) + replaced;
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d{1,16}$/.test(name.slice(start.length)))
    .map((name) => ({ path: join(folder, name), at: Number(name.slice(start.length)) }));
}
