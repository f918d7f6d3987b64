import { atMost } from "../../core/clock.ts";

/** Characters that are kept for whoever reads, at most: some thousand lines of the log. */
const untakenMax = 1_000_000;

export interface LineOutput {
  write(line: string): void;
  /** Answers once all is taken, or after so long. */
  end(msMax: number): Promise<void>;
}

/**
 * Writes lines to the standard output and never waits for who reads them. `console.log` stands still at a pipe that is full, and a server
 * with it: whoever takes its log would decide whether it answers. What is not taken is kept up to a bound; `onDropped` is told how many lines
 * were not, once there is room again.
 */
export function createLineOutput({
  open = () => Bun.stdout.writer(),
  onDropped,
}: {
  open?: () => Pick<Bun.FileSink, "write" | "flush">;
  onDropped: (lines: number) => void;
}): LineOutput {
  let sink: ReturnType<typeof open> | null = null;
  let untaken = 0;
  let dropped = 0;
  /** Until what was written last is taken. Of what was written before it, Bun says at once that it is. */
  let taking: Promise<unknown> | null = null;
  let whenTaken: (() => void)[] = [];

  return {
    write(line) {
      if (untaken + line.length > untakenMax) {
        dropped += 1;
        return;
      }
      sink ??= open();
      sink.write(`${line}\n`);
      const flushed = sink.flush();
      if (!(flushed instanceof Promise)) return;
      untaken += line.length;
      taking = flushed;
      const over = () => {
        if (taking === flushed) allTaken();
      };
      // A pipe that nobody reads from any more is as good as empty.
      flushed.then(over, over);
    },

    async end(msMax) {
      if (taking) await atMost(msMax, new Promise<void>((resolve) => void whenTaken.push(resolve)));
    },
  };

  function allTaken(): void {
    taking = null;
    untaken = 0;
    const lines = dropped;
    dropped = 0;
    if (lines > 0) onDropped(lines);
    for (const resolve of whenTaken) resolve();
    whenTaken = [];
  }
}
