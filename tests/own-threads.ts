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
