import { fstatSync } from "node:fs";
import type { ParseArgsConfig } from "node:util";
import type { Now } from "../../core/clock.ts";
import type { RandomBytes } from "../../core/random.ts";

/** What `main.ts` takes from the system and passes to a command. Nothing else reads the system. */
export interface System {
  environment: Record<string, string | undefined>;
  now: Now;
  monotonicMs: () => number;
  randomBytes: RandomBytes;
  /** Writes one line for people to standard output. */
  print: (line: string) => void;
  /** Writes one line of a server's log to standard output without waiting for its reader. */
  log: (line: string) => void;
  /** Writes one line for people to standard error, because standard output may carry data. */
  note: (line: string) => void;
  /** Reads all of standard input as text. */
  readInput: () => Promise<string>;
  /** Standard input as it arrives. */
  inputBytes: () => AsyncIterable<Uint8Array>;
  /** Writes bytes to standard output. */
  send: (content: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Shows progress on a terminal, replacing the previous line; null removes it. Does nothing elsewhere. */
  progress: (line: string | null) => void;
  /** Whether that stream is a terminal. */
  isTerminal: (stream: "input" | "output") => boolean;
}

export interface Command {
  /** How to call it, without the program's name: `admin create <username>`. */
  usage: string;
  summary: string;
  /** More text for --help, after the summary. */
  help?: string;
  options?: ParseArgsConfig["options"];
  /** The names of the operands, all of which are required. */
  operands?: readonly string[];
  /** Whether it also runs without operands. */
  mayLackOperands?: boolean;
  run(system: System, operands: string[], options: Record<string, unknown>): Promise<void>;
  /** Reports why it failed; by default as a sentence on standard error. */
  complain?: (system: System, complaint: string) => void;
}

/** By the words that call them. */
export type Commands = Record<string, Command>;

/** As a file's name it means standard output or standard input. */
export const standardStream = "-";

/**
 * Whether a standard stream (0, 1, 2) is a terminal. Only a device can be one: for anything else `node:tty` is not
 * loaded, because it would load all of Node's streams at each start of a server.
 */
export function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && process.getBuiltinModule("node:tty").isatty(descriptor);
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

const settingsHelp = `Settings come from the environment (PORT, DATA_DIR, …); docs/operating.md lists them.
\`latchkey help <command>\` explains a command. Exit codes: 0 done, 1 failed, 2 wrong usage or settings.`;

export function overallHelp(commands: Commands): string {
  return `Latchkey, a licence-key panel for mobile games.

Usage: latchkey <command>

${listOf(Object.values(commands))}

${settingsHelp}`;
}

/** The help of one command, or of those that share a first word (`admin`). Returns null for another name. */
export function helpFor(words: string[], commands: Commands): string | null {
  const name = words.join(" ");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return [usageOf(command), command.summary, ...(command.help ? [command.help] : [])].join("\n\n");
  const group = Object.keys(commands).filter((each) => each.startsWith(`${name} `));
  if (group.length === 0) return null;
  return `Usage: latchkey ${name} <command>\n\n${listOf(group.flatMap((each) => commands[each] ?? []))}`;
}

export function usageOf(command: Command): string {
  return `Usage: latchkey ${command.usage}`;
}

function listOf(commands: Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`).join("\n");
}
