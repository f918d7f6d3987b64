import { join } from "node:path";
import { version as release } from "../../package.json";

/** Whether this runs as the executable rather than from source. */
export const insideExecutable = import.meta.dir.startsWith("/$bunfs/");

/** The path of a file or folder that ships with Latchkey: next to `src`, or inside the executable. */
export function resourcePath(relative: string): string {
  if (!insideExecutable) return join(import.meta.dir, "../..", relative);
  // `--asset=build/assets` embeds that folder as `assets`: only the last name of a folder is kept.
  return join(import.meta.dir, relative.replace(/^build\//, ""));
}

/** A thread's program: its source, or its copy inside the executable, which has the same folders below `src`. */
function programAt(path: string): URL {
  return new URL(insideExecutable ? `./${path}` : `../${path}`, import.meta.url);
}

/** The program of the worker that queries the database. */
export const queryWorkerProgram = programAt("commands/query-worker.ts");

/** The program of the thread that makes a backup. */
export const backupProgram = programAt("backups/backup-worker.ts");

/** Defined by the build; empty if the build does not know it. Code that runs from source has none. */
declare const builtFromCommit: string | undefined;

/** The release, and in the executable the commit that it was built from: `0.1.0+d1fd1da`. */
export const version = [release, typeof builtFromCommit === "string" ? builtFromCommit : ""].filter(Boolean).join("+");
