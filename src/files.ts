import { join } from "node:path";

const insideExecutable = import.meta.dir.startsWith("/$bunfs/");

/** Where a file or folder that ships with Latchkey is read: beside `src`, or inside the executable. */
export function resourcePath(relative: string): string {
  if (!insideExecutable) return join(import.meta.dir, "..", relative);
  // `--asset=build/assets` embeds that folder as `assets`: only the last name of a folder is kept.
  return join(import.meta.dir, relative.replace(/^build\//, ""));
}

/** The program of the thread that scans the database (`scanner.ts`), beside this file or inside the executable. */
export const scannerProgram = new URL("./scanner.ts", import.meta.url);

/** The program of the thread that makes a backup (`backup-worker.ts`). */
export const backupProgram = new URL("./backup-worker.ts", import.meta.url);

/** The program of the thread that writes the database's log back (`checkpointer.ts`). */
export const checkpointerProgram = new URL("./checkpointer.ts", import.meta.url);

/** The program of a thread that hashes passwords (`hasher.ts`). */
export const hasherProgram = new URL("./hasher.ts", import.meta.url);

/** The program of the thread that renders the pages (`renderer.ts`). */
export const rendererProgram = new URL("./renderer.ts", import.meta.url);

/**
 * All that this thread is told of the environment. What is started from its source outside our folder is without tsconfig.json: Bun then writes JSX for
 * React's development build, and the other one cannot run it.
 */
export const rendererEnvironment = { NODE_ENV: insideExecutable ? "production" : "development" };
