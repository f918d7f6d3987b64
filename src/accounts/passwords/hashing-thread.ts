import { parentPort } from "node:worker_threads";
import { giveWay } from "../../core/thread.ts";
import { argon2 } from "./hashing.ts";

/** A password to hash or, with `hash`, to hold against one. */
export interface HashOrder {
  password: string;
  hash?: string;
}

export type HashReport = { hash: string } | { matches: boolean } | { failed: true };

/** The whole of a thread that hashes passwords: it carries out what `hashing-apart.ts` orders, one after the other. */
export function answerHashes(): void {
  // Beside full traffic a tenth of a core is left (rules.md: Passwords).
  giveWay();

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
