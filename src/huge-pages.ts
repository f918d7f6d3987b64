import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";

/** What Bun's allocator, mimalloc, reserves as one piece before anything of ours runs, and fills from its beginning on. */
const arenaBytes = 2 ** 30;

/** Where a page of the processor is larger than 4 KiB, a huge one is larger than this, and a few of them would be all the memory that we may have. */
const hugePageBytes = 2 ** 21;

/** `madvise` of Linux. */
const advice = { hugePage: 14, noHugePage: 15 };

let advise: ((advice: number) => void) | null = null;

/**
 * A start touches thousands of pages of memory for the first time, and each is a call of the system; on a virtual machine it can be one of its host
 * as well. Until `takeUsualPages`, memory that has not been touched comes 512 pages at a time, where the system gives such pages to those who ask.
 */
export function takeHugePages(): void {
  if (process.platform !== "linux") return;
  try {
    const pageBytes = Number(readFileSync("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "utf8"));
    const start = arenaStart();
    if (pageBytes !== hugePageBytes || start === null) return;
    const { madvise } = dlopen("libc.so.6", { madvise: { args: ["u64", "u64", "i32"], returns: "i32" } }).symbols;
    advise = (value) => void madvise(start, arenaBytes, value);
    advise(advice.hugePage);
  } catch {
    // A kernel without such pages, or another C library: it starts as it does without them.
  }
}

/** What has come stays. Memory that is given back and taken again all the time is dearer in huge pages: a new device took half as long again. */
export function takeUsualPages(): void {
  advise?.(advice.noHugePage);
}

function arenaStart(): number | null {
  for (const mapping of readFileSync("/proc/self/maps", "utf8").split("\n")) {
    if (!mapping.includes(" rw-p 00000000 00:00 0")) continue;
    const [start = 0, end = 0] = mapping.split(/[- ]/, 2).map((address) => Number.parseInt(address, 16));
    if (end - start === arenaBytes) return start;
  }
  return null;
}
