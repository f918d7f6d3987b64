import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { argon2 } from "./hashing.ts";

/** Where there are fewer cores than work, verifications go first (rules.md: Passwords): beside full traffic a tenth of a core is left. */
const niceness = 10;

/** A password to hash or, with `hash`, to hold against one. */
export interface HashOrder {
  password: string;
  hash?: string;
}

export type HashReport = { hash: string } | { matches: boolean } | { failed: true };

/** The whole of a thread that hashes passwords: it carries out what `hashing.ts` orders, one after the other. */
export function answerHashes(): void {
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (process.platform === "linux") setPriority(0, niceness);

  parentPort?.on("message", (order: HashOrder) => parentPort?.postMessage(reportOn(order)));
}

function reportOn({ password, hash }: HashOrder): HashReport {
  try {
    if (hash === undefined) return { hash: Bun.password.hashSync(password, argon2) };
    return { matches: Bun.password.verifySync(password, hash) };
  } catch {
    // It is done once more by who ordered it, whose error says why.
    return { failed: true };
  }
}
