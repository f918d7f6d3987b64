import { readFileSync } from "node:fs";

/** A container, a person and a closed terminal ask in different words. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => whenAsked(() => resolve()));
}

function whenAsked(answer: (signal: string) => void): void {
  for (const signal of stopSignals) {
    if (signal !== "SIGHUP" || !ignoresHangup()) process.once(signal, () => answer(signal));
  }
}

/** Whether it was started by `nohup`, to outlive its terminal. */
function ignoresHangup(): boolean {
  try {
    const [, ignored = "0"] = readFileSync("/proc/self/status", "utf8").match(/^SigIgn:\s*([0-9a-f]+)/m) ?? [];
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    // Only Linux says. Elsewhere a hang-up stops.
    return false;
  }
}
