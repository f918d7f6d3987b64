import { getPriority, setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { atMost } from "./at-most.ts";

/** A thread that works for as long as the server runs. */
export interface Thread<Sent> {
  /** Starts it, where it is not there: at first, and after it has died. Where the system has no thread left, that is one more death. */
  send(sent: Sent): void;
  /** It is given up, as if it had died by itself: one that is only slow ends with what it is at. */
  bury(cause: unknown): void;
  /** Ends it, and is no death. With `last` it is told so, and may end by itself until then; without, it is ended where it is. */
  end(msMax: number, last?: Sent): Promise<void>;
}

/** `onDeath` is told once of each death. What the thread had been sent before is not sent to the next one. */
export function createThread<Sent, Told>({
  program,
  data,
  onTold,
  onDeath,
}: {
  program: URL;
  /** `workerData`, over there. */
  data: unknown;
  onTold: (told: Told) => void;
  onDeath: (cause: unknown) => void;
}): Thread<Sent> {
  let running: Worker | null = null;

  return {
    send(sent) {
      try {
        running ??= start();
      } catch (cause) {
        // Who sends is told when it has sent, as of any other death.
        queueMicrotask(() => onDeath(cause));
        return;
      }
      running.postMessage(sent);
    },

    bury: (cause) => bury(running, cause),

    async end(msMax, last) {
      const ending = running;
      running = null;
      if (!ending) return;
      if (last === undefined) return atMost(msMax, ending.terminate());
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.postMessage(last);
      await atMost(msMax, ended);
      void ending.terminate();
    },
  };

  function start(): Worker {
    const started = new Worker(program, { workerData: data });
    // A process that has nothing else to do may end.
    started.unref();
    started.on("message", (told: Told) => {
      // What one that was given up says after all is about what somebody else has been told of.
      if (running === started) onTold(told);
    });
    started.on("error", (error) => bury(started, error));
    started.on("exit", (code) => bury(started, `exit code ${code}`));
    return started;
  }

  function bury(dead: Worker | null, cause: unknown): void {
    if (dead === null || running !== dead) return;
    running = null;
    void dead.terminate();
    onDeath(cause);
  }
}

/** What gives way gets about a tenth of a core where there are fewer cores than work. */
const niceness = 10;

/**
 * Called by a worker thread of ours: where there are fewer cores than work, requests come first. On Linux a priority belongs to one thread;
 * elsewhere it would be the whole server's, and nothing is changed.
 */
export function giveWay(): void {
  if (process.platform === "linux" && getPriority(0) < niceness) setPriority(0, niceness);
}
