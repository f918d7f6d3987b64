import { existsSync, readFileSync } from "node:fs";
import { serve } from "../../../src/commands/serve.ts";

/** Runs `latchkey serve` from source. Its wall clock is ahead of the system's by the milliseconds in the file CLOCK_AHEAD. */
const file = process.env.CLOCK_AHEAD ?? "";
const aheadMs = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);

await serve.run(
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
    sendFile: async () => {},
    progress: () => {},
    isTerminal: () => false,
  },
  [],
  {},
);
process.exit();
