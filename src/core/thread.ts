import { getPriority, setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { atMost } from "./clock.ts";

/**
 * A worker thread for as long as the server runs. `onDeath` is called once for each death. Messages that the dead
 * thread had received are not sent again.
 */
export function createThread<Sent, Received>({
  program,
  data,
  onMessage,
  onDeath,
}: {
  program: URL;
  /** The thread's `workerData`. */
  data: unknown;
  onMessage: (message: Received) => void;
  onDeath: (cause: unknown) => void;
}) {
  let running: Worker | null = null;

  return {
    /** Starts the thread if it is not running. If the system cannot start one, `onDeath` is called. */
    send(message: Sent): void {
      try {
        running ??= start();
      } catch (cause) {
        // After `send` has returned, like any other death.
        queueMicrotask(() => onDeath(cause));
        return;
      }
      running.postMessage(message);
    },

    /** Ends a thread that does not respond, as if it had died. */
    kill: (cause: unknown) => handleDeath(running, cause),

    /** Ends the thread without a call of `onDeath`. */
    async end(msMax: number): Promise<void> {
      const ending = running;
      running = null;
      if (ending) await atMost(msMax, ending.terminate());
    },
  };

  function start(): Worker {
    const started = new Worker(program, { workerData: data });
    // The thread alone does not keep the process running.
    started.unref();
    started.on("message", (message: Received) => {
      // A late message of a thread that was killed is ignored.
      if (running === started) onMessage(message);
    });
    started.on("error", (error) => handleDeath(started, error));
    started.on("exit", (code) => handleDeath(started, `exit code ${code}`));
    return started;
  }

  function handleDeath(dead: Worker | null, cause: unknown): void {
    if (dead === null || running !== dead) return;
    running = null;
    void dead.terminate();
    onDeath(cause);
  }
}

/** With this niceness a thread gets about a tenth of a core that is in demand. */
const niceness = 10;

/**
 * Called by our worker threads, so that requests come first when cores are short. On Linux a priority belongs to one
 * thread; elsewhere it would apply to the whole server, so nothing changes there.
 */
export function lowerPriority(): void {
  if (process.platform === "linux" && getPriority(0) < niceness) setPriority(0, niceness);
}
