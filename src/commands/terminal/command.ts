import type { ParseArgsConfig } from "node:util";
import type { Now } from "../../core/clock.ts";
import type { RandomBytes } from "../../core/random.ts";

/** What `main.ts` takes from the system and hands to a command; nothing else asks the system. */
export interface System {
  environment: Record<string, string | undefined>;
  now: Now;
  monotonicMs: () => number;
  randomBytes: RandomBytes;
  /** Writes one line for people to the standard output. */
  print: (line: string) => void;
  /** Writes one line of a server's log to the standard output, and waits for nobody who reads it. */
  log: (line: string) => void;
  /** Writes one line for people to the standard error: the standard output may carry data. */
  note: (line: string) => void;
  /** Reads all of the standard input, as text. */
  readInput: () => Promise<string>;
  /** The standard input as it arrives. */
  inputBytes: () => AsyncIterable<Uint8Array>;
  /** Sends a file to the standard output. */
  sendFile: (file: string) => Promise<void>;
  /** Says on a terminal, in the place of what was said before, how far something is; `null` takes it away. Elsewhere it says nothing. */
  progress: (line: string | null) => void;
  /** Whether a person sits at that end. */
  isTerminal: (stream: "input" | "output") => boolean;
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
  /** Without them it does something of its own. */
  mayLackOperands?: boolean;
  run(system: System, operands: string[], options: Record<string, unknown>): Promise<void>;
  /** Says why it failed; without it that is a sentence on the standard error. */
  complain?: (system: System, complaint: string) => void;
}

/** By the words that call it. */
export type Commands = Record<string, Command>;

/** As the name of a file it means the standard output, or the standard input. */
export const standardStream = "-";
