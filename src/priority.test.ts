import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { compilersGiveWay } from "./priority.ts";

test.if(process.platform === "linux")("the threads that compile give way, and the one that answers does not", () => {
  const own = getPriority(process.pid);
  let compilers: number[] = [];
  // By then something has run so often that it is compiled.
  for (let rounds = 0; compilers.length === 0 && rounds < 1_000; rounds += 1) {
    for (let number = 0; number < 1_000_000; number += 1) rounds += number & 0;
    compilers = threadsNamed("JITWorker");
  }
  expect(compilers).not.toEqual([]);
  compilersGiveWay();
  for (const thread of compilers) expect(getPriority(thread)).toBe(10);
  expect(getPriority(process.pid)).toBe(own);
});

function threadsNamed(name: string): number[] {
  const threads = readdirSync("/proc/self/task");
  return threads.filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim() === name).map(Number);
}
