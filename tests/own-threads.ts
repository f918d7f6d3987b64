import { readdirSync, readFileSync } from "node:fs";

/** What proc(5) tells of each thread of this process (`comm`, `stat`), by the thread's id. One that ends meanwhile is left out. */
export function ownThreads(file: "comm" | "stat"): Map<number, string> {
  const told = new Map<number, string>();
  for (const id of readdirSync("/proc/self/task")) {
    try {
      told.set(Number(id), readFileSync(`/proc/self/task/${id}/${file}`, "utf8"));
    } catch (error) {
      if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  return told;
}

/** By the id of each thread of this process; that of the one that answers is the process's own. proc(5): the nineteenth field of `stat`. */
export function nicenessOfThreads(): Map<number, number> {
  const nicenessIn = (stat: string) => Number(stat.split(") ").at(-1)?.split(" ")[16]);
  return new Map([...ownThreads("stat")].map(([id, stat]) => [id, nicenessIn(stat)]));
}
