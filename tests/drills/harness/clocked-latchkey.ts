import { existsSync, readFileSync } from "node:fs";
import { clockConfirm, clockRepair } from "../../../src/commands/clock.ts";
import { serve } from "../../../src/commands/serve.ts";
import type { Command } from "../../../src/commands/terminal/command.ts";

/**
 * Runs `latchkey serve` or a command about the clock from source, with a clock that is ahead by the milliseconds in the
 * file CLOCK_AHEAD.
 */
const file = process.env.CLOCK_AHEAD ?? "";
const aheadMs = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
const commands: Record<string, Command> = { "clock confirm": clockConfirm, "clock repair": clockRepair };
const command = commands[process.argv.slice(2).join(" ")] ?? serve;

await command.run(
  {
    environment: process.env,
    now: () => Date.now() + aheadMs(),
    monotonicMs: () => performance.now(),
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
    print: (line) => console.log(line),
    log: (line) => console.log(line),
    note: (line) => console.error(line),
    readInput: async () => "",
    inputBytes: () => Bun.stdin.stream(),
    send: async () => {},
    progress: () => {},
    isTerminal: () => false,
  },
  [],
  {},
);
process.exit();
