import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Where there are fewer cores than work, verifications go first: what gives way gets about a tenth of a core then. */
const niceness = 10;

/** What the system calls the threads in which JavaScriptCore compiles. The whole process shares them. */
const compilerName = "JITWorker";

const ownThreads = "/proc/self/task";

/** On Linux a priority is of one thread alone; elsewhere it would be the whole server's. */
const isOfThread = process.platform === "linux";

/** The calling thread gives way, and each that it starts from now on. */
export function giveWay(): void {
  if (isOfThread) lower(0);
}

/**
 * So do those that compile what has run often. A start keeps them busy, and rendering does for hundreds of pages; those that the answering thread
 * started would share the core with it as equals. One that rests for some seconds ends, and whoever needs it next starts it with a priority of its own:
 * so this is asked again and again.
 */
export function compilersGiveWay(): void {
  if (!isOfThread) return;
  try {
    for (const thread of readdirSync(ownThreads)) {
      const name = readFileSync(`${ownThreads}/${thread}/comm`, "utf8").trimEnd();
      if (name === compilerName) lower(Number(thread));
    }
  } catch {
    // One has ended since the list was read, or nothing says which there are. Whoever renders does so all the same.
  }
}

/** Whoever is behind already, as the whole server may be, stays there: nobody may go forward again. */
function lower(thread: number): void {
  if (getPriority(thread) < niceness) setPriority(thread, niceness);
}
