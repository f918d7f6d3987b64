import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../process.ts";

/** A wall clock that a drill can step, and the command and environment of a server from source that runs by it. */
export function createSteppedClock() {
  const folder = temporaryFolder();
  const file = join(folder, "ahead");
  let aheadMs = 0;
  return {
    command: [process.execPath, join(import.meta.dir, "clocked-latchkey.ts")],
    environment: { CLOCK_AHEAD: file },
    now: () => Date.now() + aheadMs,
    /** How far it is ahead of the system's clock. */
    aheadMs: () => aheadMs,
    setAhead(ms: number): void {
      aheadMs = ms;
      // The server may read the file at any moment, so it must never be half written.
      writeFileSync(`${file}.new`, String(ms));
      renameSync(`${file}.new`, file);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
