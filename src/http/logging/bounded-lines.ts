import { msPerSecond } from "../../core/clock.ts";

/** Writes the first so many lines of a second, and one at its end that counts the others and tells of the last of them. */
export function createBoundedLines<Line>({
  perSecondMax,
  write,
}: {
  perSecondMax: number;
  /** `count` is how many the line tells of. */
  write: (line: Line, count: number) => void;
}): (line: Line) => void {
  let isCounting = false;
  let written = 0;
  let untold = 0;
  let latest: Line;

  return function tell(line) {
    if (!isCounting) beginSecond();
    if (written < perSecondMax) writeFor(1, line);
    else {
      untold += 1;
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
    if (untold === 0) return;
    beginSecond();
    writeFor(untold, latest);
    untold = 0;
  }

  function writeFor(count: number, line: Line): void {
    written += 1;
    write(line, count);
  }
}
