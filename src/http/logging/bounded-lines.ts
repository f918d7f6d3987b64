import { msPerSecond } from "../../core/clock.ts";

/**
 * Of each kind of line. All five kinds together are less than 1 GiB a day, so that a flood of calls does not fill the
 * disk.
 */
export const linesPerSecondMax = 8;

/**
 * Writes the first lines of each second, and at its end the last of the others, with their count. `count` is the number
 * of lines that a written line represents.
 */
export function createBoundedLines<Line>(perSecondMax: number, write: (line: Line, count: number) => void) {
  let isCounting = false;
  let written = 0;
  let omitted = 0;
  let latest: Line;

  return function add(line: Line): void {
    if (!isCounting) beginSecond();
    if (written < perSecondMax) writeFor(1, line);
    else {
      omitted += 1;
      latest = line;
    }
  };

  function beginSecond(): void {
    isCounting = true;
    written = 0;
    setTimeout(endSecond, msPerSecond).unref();
  }

  function endSecond(): void {
    isCounting = false;
    if (omitted === 0) return;
    beginSecond();
    writeFor(omitted, latest);
    omitted = 0;
  }

  function writeFor(count: number, line: Line): void {
    written += 1;
    write(line, count);
  }
}
