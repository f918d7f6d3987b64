import { readFileSync } from "node:fs";
import { exitCodes } from "../core/operator-error.ts";

/** A container, a person and a closed terminal ask in different words. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => whenAsked(() => resolve()));
}

/**
 * For a command that works in steps: one that is asked to stop ends after the step at work, and removes what it has not
 * finished, as every process does that exits. Without this a signal would end it on the spot.
 */
export function exitWhenAskedToStop(): void {
  whenAsked((signal) => {
    console.error(`Stopped by ${signal}. Nothing was changed.`);
    process.exit(exitCodes.failed);
  });
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
