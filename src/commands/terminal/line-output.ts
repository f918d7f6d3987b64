import { atMost } from "../../core/clock.ts";

/** Characters that may wait for a reader: several thousand lines of the log. */
const unreadCharactersMax = 1_000_000;

/**
 * Writes lines to standard output without waiting for the reader. `console.log` blocks on a full pipe, so a slow reader
 * of the log would stop the server. Unread lines are kept up to a bound. Once there is room again, `onDropped` receives
 * the number of lines that were dropped.
 */
export function createLineOutput({
  open = () => Bun.stdout.writer(),
  onDropped,
}: {
  open?: () => Pick<Bun.FileSink, "write" | "flush">;
  onDropped: (lines: number) => void;
}) {
  let sink: ReturnType<typeof open> | null = null;
  let untaken = 0;
  let dropped = 0;
  /** Resolves when the last line has been read. For earlier lines Bun's promises resolve too early. */
  let taking: Promise<unknown> | null = null;
  let whenTaken: (() => void)[] = [];

  return {
    write(line: string): void {
      if (untaken + line.length > unreadCharactersMax) {
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
        if (taking === flushed) allRead();
      };
      // A pipe without a reader counts as empty.
      flushed.then(over, over);
    },

    /** Resolves when everything has been read, or after `msMax`. */
    async end(msMax: number) {
      if (taking) await atMost(msMax, new Promise<void>((resolve) => void whenTaken.push(resolve)));
    },
  };

  function allRead(): void {
    taking = null;
    untaken = 0;
    const lines = dropped;
    dropped = 0;
    if (lines > 0) onDropped(lines);
    for (const resolve of whenTaken) resolve();
    whenTaken = [];
  }
}
