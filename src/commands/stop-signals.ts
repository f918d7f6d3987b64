import { readFileSync } from "node:fs";
import { exitCodes } from "../core/operator-error.ts";

/** Sent by a container, a person and a closed terminal. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => onStopSignal(() => resolve()));
}

/**
 * For a command that works in steps: a signal ends it after the current step, and its exit removes unfinished files.
 * Without this a signal would end it at once.
 */
export function exitOnStopSignal(): void {
  onStopSignal((signal) => {
    console.error(`Stopped by ${signal}. Nothing was changed.`);
    process.exit(exitCodes.failed);
  });
}

function onStopSignal(handle: (signal: string) => void): void {
  for (const signal of stopSignals) {
    if (signal !== "SIGHUP" || !ignoresHangup()) process.once(signal, () => handle(signal));
  }
}

/** Whether `nohup` started the process, to outlive its terminal. */
function ignoresHangup(): boolean {
  try {
    const [, ignored = "0"] = readFileSync("/proc/self/status", "utf8").match(/^SigIgn:\s*([0-9a-f]+)/m) ?? [];
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    // Only Linux has this file. Elsewhere a hang-up stops the process.
    return false;
  }
}
