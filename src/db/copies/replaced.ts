import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { msPerDay } from "../../core/clock.ts";
import { openUntrusted } from "./check.ts";

/** How long a database that a restore replaced is kept, but for the newest, which stays. */
export const replacedDaysMax = 30;

/** What its name has after the database's own. The time of the restore follows, in milliseconds. */
const replaced = ".replaced.";

const journals = ["-wal", "-shm"];

/** Keeps the old database beside the new one, under a name that says when. Its journal is folded into it first. */
export function setAside(file: string, now: number): string | null {
  if (!existsSync(file)) return null;
  const kept = `${file}${replaced}${now}`;
  try {
    const connection = openUntrusted(file);
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.run("PRAGMA journal_mode = DELETE");
    connection.close();
  } catch {
    // A database too damaged to open is exactly why people restore: its files are kept as they are.
  }
  // Linked, not moved: until the new database takes the name, the old one still has it, also when we are killed here.
  linkSync(file, kept);
  // A journal left behind would be played into the new database.
  for (const suffix of journals) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  return kept;
}

/** After a restore that was killed at its last step the old database has both names. The caller holds the data folder's lock. */
export function removeSecondName(file: string): void {
  if (!existsSync(file) || statSync(file).nlink === 1) return;
  for (const { path } of replacedBeside(file)) {
    if (statSync(path).ino !== statSync(file).ino) continue;
    rmSync(path);
    for (const suffix of journals) if (existsSync(path + suffix)) renameSync(path + suffix, file + suffix);
  }
}

/** Removes what was replaced more than `replacedDaysMax` days ago, but for the newest, and answers which. */
export function removeOldReplaced(file: string, now: number): string[] {
  const [_newest, ...others] = replacedBeside(file).sort((a, b) => b.at - a.at);
  const old = others.filter(({ at }) => at < now - replacedDaysMax * msPerDay).map(({ path }) => path);
  for (const path of old) for (const suffix of ["", ...journals]) rmSync(path + suffix, { force: true });
  return old;
}

function replacedBeside(file: string): { path: string; at: number }[] {
  const start = basename(file) + replaced;
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d{1,16}$/.test(name.slice(start.length)))
    .map((name) => ({ path: join(folder, name), at: Number(name.slice(start.length)) }));
}
