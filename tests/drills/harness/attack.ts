import { join } from "node:path";
import { onLoadCore } from "../../bench/server.ts";

/** The attack runs on the same core as the measuring process and must not delay its clock. */
const niceness = "10";

/** Bun's own limit is 256 at once, so that requests of one kind would hold back those of the others. */
const requestsAtOnceMax = "2000";

/**
 * A drill's file exports its attack as `attack`. It calls `begun` once everything is set up, continues until `over`,
 * and returns its result as plain data.
 */
export type Attack<Order, Result> = (order: Order, when: { begun: () => void; over: Promise<void> }) => Promise<Result>;

export type AttackMessage<Result> = { begun: true } | { result: Result };

export interface RunningAttack<Result> {
  begun: Promise<void>;
  /** Ends the attack and waits for its result. */
  end: () => Promise<Result>;
}

/** Runs a drill's attack in a separate process with a lower priority than the players. */
export function beginAttack<Result>(drill: string, order: unknown): RunningAttack<Result> {
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Result>();
  result.promise.catch(() => {});
  const program = join(import.meta.dir, "attack-process.ts");
  const command = ["nice", "-n", niceness, process.execPath, program, drill, JSON.stringify(order)];
  const child = Bun.spawn(onLoadCore(command), {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: requestsAtOnceMax },
    stdout: "inherit",
    stderr: "inherit",
    ipc(message: AttackMessage<Result>) {
      if ("begun" in message) begun.resolve();
      else result.resolve(message.result);
    },
    onExit() {
      const error = new Error(`The attack of ${drill} ended early: see its output above.`);
      begun.reject(error);
      result.reject(error);
    },
  });
  return {
    begun: begun.promise,
    end() {
      child.send("over");
      return result.promise;
    },
  };
}
