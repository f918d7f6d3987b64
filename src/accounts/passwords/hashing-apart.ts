import { getLogger } from "@logtape/logtape";
import { hasherProgram } from "../../config/files.ts";
import { createThread } from "../../core/thread.ts";
import { type Hashing, hashingInPool } from "./hashing.ts";
import type { HashOrder, HashReport } from "./hashing-thread.ts";

const log = getLogger(["latchkey", "accounts"]);

/**
 * In a thread of its own that gives way to the one that answers. Where both want one core, Linux lets equals end their slice, and looks only at
 * each tick, every 4 ms: so long players waited whenever a password was being hashed. The thread starts with the first hash; what it had been
 * given when it dies is hashed in Bun's own.
 */
export function createHashingThread(program = hasherProgram): Hashing {
  const waiting: ((report: HashReport) => void)[] = [];
  const thread = createThread<HashOrder, HashReport>({
    program,
    data: null,
    // It reports in the order in which it was given them.
    onTold: (report) => waiting.shift()?.(report),
    onDeath(cause) {
      log.error("A thread that hashes passwords has died: {cause}", { cause });
      for (const take of waiting.splice(0)) take({ failed: true });
    },
  });

  return {
    async hash(password) {
      const report = await carriedOut({ password });
      return "hash" in report ? report.hash : hashingInPool.hash(password);
    },
    async matches(password, hash) {
      const report = await carriedOut({ password, hash });
      return "matches" in report ? report.matches : hashingInPool.matches(password, hash);
    },
  };

  function carriedOut(order: HashOrder): Promise<HashReport> {
    return new Promise((take) => {
      waiting.push(take);
      thread.send(order);
    });
  }
}
