import { msPerSecond } from "../../core/clock.ts";

/** Writes the first lines of each second, and one line at its end that counts the others and shows the last of them. */
export function createBoundedLines<Line>({
  perSecondMax,
  write,
}: {
  perSecondMax: number;
  /** `count` is how many lines this one stands for. */
  write: (line: Line, count: number) => void;
}): (line: Line) => void {
  let isCounting = false;
  let written = 0;
  let omitted = 0;
  let latest: Line;

  return function add(line) {
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
