import type { ParseArgsConfig } from "node:util";
import type { Now } from "../clock.ts";

/** What `main.ts` takes from the system and hands to a command; nothing else asks the system. */
export interface System {
  environment: Record<string, string | undefined>;
  now: Now;
  monotonicMs: () => number;
  randomBytes: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;
  /** Writes one line for people to the standard output. */
  print: (line: string) => void;
  /** Reads all of the standard input, as text. */
  readInput: () => Promise<string>;
}

export interface Command {
  /** How it is called, without the program's name: `admin create <username>`. */
  usage: string;
  summary: string;
  /** What --help says beyond the summary. */
  help?: string;
  options?: ParseArgsConfig["options"];
  /** Names of what stands after the command; all of them must be given. */
  operands?: readonly string[];
  run(system: System, operands: string[], options: Record<string, unknown>): Promise<void>;
}
