import { expect, test } from "bun:test";
import { getPriority } from "node:os";
import { ownThreads } from "../../tests/own-threads.ts";
import { helpersGiveWay } from "./priority.ts";

test.if(process.platform === "linux")(
  "the threads that compile give way, those that come later too, and the one that answers does not",
  async () => {
    const own = getPriority(process.pid);
    const stop = helpersGiveWay();
    let compilers: number[] = [];
    // By then something has run so often that it is compiled.
    for (let rounds = 0; compilers.length === 0 && rounds < 1_000; rounds += 1) {
      for (let number = 0; number < 1_000_000; number += 1) rounds += number & 0;
      compilers = threadsNamed("JITWorker");
    }
    expect(compilers).not.toEqual([]);
    while (compilers.some((thread) => getPriority(thread) !== 10)) await Bun.sleep(20);
    stop();
    expect(getPriority(process.pid)).toBe(own);
  },
);

function threadsNamed(name: string): number[] {
  return [...ownThreads("comm")].filter(([, comm]) => comm.trim() === name).map(([id]) => id);
}
