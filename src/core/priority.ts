import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Where there are fewer cores than work, verifications go first: what gives way gets about a tenth of a core then. */
const niceness = 10;

/**
 * What the system calls the threads that the whole process shares: in which JavaScriptCore compiles and takes up memory before it is wanted, and
 * in which Bun's allocator gives memory back.
 */
const helperNames = new Set(["JITWorker", "JSCWarmUp", "mi-scavenger"]);

/** They end when they have rested for some seconds, and the next ones are as urgent as whoever starts them. */
const lookEveryMs = 250;

const ownThreads = "/proc/self/task";

/** On Linux a priority is of one thread alone; elsewhere it would be the whole server's. */
const isOfThread = process.platform === "linux";

/** The calling thread gives way, and each that it starts from now on. */
export function giveWay(): void {
  if (isOfThread) lower(0);
}

/**
 * So do the threads that nobody of ours has started. A start keeps those that compile busy, and so do hundreds of pages and slices of a reset; what the
 * answering thread set going would share the core with it as an equal. Answers how to stop looking for new ones.
 */
export function helpersGiveWay(): () => void {
  if (!isOfThread) return () => {};
  // Each is looked at twice: one that has only just begun has no name of its own yet.
  let [seen, known] = [new Set<string>(), new Set<string>()];
  const look = () => {
    [seen, known] = [lowerHelpers(known), seen];
  };
  look();
  const looking = setInterval(look, lookEveryMs).unref();
  return () => clearInterval(looking);
}

/** Once, and at once: rendering sets compilers going again and again, faster than they are looked for. */
export function helpersGiveWayNow(): void {
  if (isOfThread) lowerHelpers(new Set());
}

/** Answers the threads that there are, or none where one has ended since the list was read: the next look finds the others. */
function lowerHelpers(known: Set<string>): Set<string> {
  try {
    const threads = readdirSync(ownThreads);
    for (const thread of threads) if (!known.has(thread) && isHelper(thread)) lower(Number(thread));
    return new Set(threads);
  } catch {
    return new Set();
  }
}

function isHelper(thread: string): boolean {
  return helperNames.has(readFileSync(`${ownThreads}/${thread}/comm`, "utf8").trimEnd());
}

/** Whoever is behind already, as the whole server may be, stays there: nobody may go forward again. */
function lower(thread: number): void {
  if (getPriority(thread) < niceness) setPriority(thread, niceness);
}
