import { join } from "node:path";

const insideExecutable = import.meta.dir.startsWith("/$bunfs/");

/** Where a file or folder that ships with Latchkey is read: beside `src`, or inside the executable. */
export function resourcePath(relative: string): string {
  return insideExecutable ? join(import.meta.dir, relative) : join(import.meta.dir, "..", relative);
}
