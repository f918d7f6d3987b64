import { join } from "node:path";
import { onLoadCore } from "../../bench/server.ts";

/** Who attacks must not keep the players' clock waiting, which runs on the same core. */
const niceness = "10";

/** What a drill's file exports as `attack`: it says when all of it stands, goes on until it is over, and answers what became of it, as plain data. */
export type Attack<Order, Result> = (order: Order, when: { begun: () => void; over: Promise<void> }) => Promise<Result>;

export type Told<Result> = { begun: true } | { result: Result };

export interface Attackers<Result> {
  begun: Promise<void>;
  /** Tells them that it is over, and waits for what they have to say. */
  end: () => Promise<Result>;
}

/** Carries out the attack of a drill in a process of its own, beside the players and less urgent than they are. */
export function beginAttack<Result>(drill: string, order: unknown): Attackers<Result> {
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Result>();
  result.promise.catch(() => {});
  const program = join(import.meta.dir, "attack-process.ts");
  const command = ["nice", "-n", niceness, process.execPath, program, drill, JSON.stringify(order)];
  const child = Bun.spawn(onLoadCore(command), {
    stdout: "inherit",
    stderr: "inherit",
    ipc(told: Told<Result>) {
      if ("begun" in told) begun.resolve();
      else result.resolve(told.result);
    },
    onExit() {
      const error = new Error(`The attack of ${drill} ended early: what it said stands above.`);
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
