import "./production.ts";
import { SQLiteError } from "bun:sqlite";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { adminCreate, adminResetPassword } from "./command/admin.ts";
import type { Command, System } from "./command/command.ts";
import { demo } from "./command/demo.ts";
import { healthcheck } from "./command/healthcheck.ts";
import { serve } from "./command/serve.ts";
import { backup, migrate, restore } from "./command/storage.ts";
import { exitCodes, OperatorError } from "./operator-error.ts";
import { Refusal } from "./refusal.ts";

const commands: Record<string, Command> = {
  serve,
  "admin create": adminCreate,
  "admin reset-password": adminResetPassword,
  migrate,
  backup,
  restore,
  demo,
  healthcheck,
  version: {
    usage: "version",
    summary: "Say which version this is",
    run: async (system) => system.print(`latchkey ${version}`),
  },
};

const system: System = {
  environment: process.env,
  now: Date.now,
  monotonicMs: () => performance.now(),
  randomBytes: (bytes) => crypto.getRandomValues(bytes),
  print: (line) => console.log(line),
  readInput: () => Bun.stdin.text(),
};

const settingsHelp =
  "Settings come from the environment (PORT, DATA_DIR, …); the README lists them.\nEach command explains itself with --help. Exit codes: 0 done, 1 failed, 2 wrong usage or settings.";

// Everything that Latchkey writes is for its own user's eyes: the database holds password hashes.
process.umask(0o077);
process.exit(await run(process.argv.slice(2)));

async function run(args: string[]): Promise<number> {
  const words = args.length === 0 || args[0]?.startsWith("--demo") ? ["serve", ...args] : args;
  if (words[0] === "--version" || words[0] === "-v") words[0] = "version";
  if (words[0] === "--help" || words[0] === "-h" || words[0] === "help") {
    system.print(overallHelp());
    return exitCodes.done;
  }
  const name = [words.slice(0, 2).join(" "), words[0] ?? ""].find((candidate) => Object.hasOwn(commands, candidate));
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined || !command) return wrongUsage(`There is no command ${words.join(" ")}.`, overallHelp());
  return runCommand(command, words.slice(name.split(" ").length));
}

async function runCommand(command: Command, rest: string[]): Promise<number> {
  const operands = command.operands ?? [];
  let parsed: ReturnType<typeof parseArgs>;
  try {
    const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
    parsed = parseArgs({ args: rest, options, allowPositionals: true });
  } catch (error) {
    return wrongUsage((error as Error).message, helpFor(command));
  }
  if (parsed.values.help) {
    system.print(helpFor(command));
    return exitCodes.done;
  }
  if (parsed.positionals.length !== operands.length) {
    const wanted = operands.length === 0 ? "nothing after it" : operands.map((operand) => `<${operand}>`).join(" ");
    return wrongUsage(`This command takes ${wanted}.`, helpFor(command));
  }
  try {
    await command.run(system, parsed.positionals, parsed.values);
    return exitCodes.done;
  } catch (error) {
    return failed(error);
  }
}

/** What an operator can put right is said in one sentence; anything else is ours, and shows where it happened. */
function failed(error: unknown): number {
  if (error instanceof OperatorError) {
    console.error(error.message);
    return error.exitCode;
  }
  if (error instanceof Refusal) console.error(error.message);
  else if (isFilesFault(error)) console.error(`The data folder cannot be used: ${error.message}. Look at DATA_DIR.`);
  else console.error(error);
  return exitCodes.failed;
}

/** What the file system says (it may not be written, it is full) and what SQLite says of a file that is none of its own, or damaged. */
function isFilesFault(error: unknown): error is Error {
  if (error instanceof SQLiteError) return !/^SQLITE_(ERROR|CONSTRAINT|MISUSE|MISMATCH|RANGE)/.test(error.code ?? "");
  return error instanceof Error && "syscall" in error;
}

function wrongUsage(sentence: string, help: string): number {
  console.error(`${sentence}\n\n${help}`);
  return exitCodes.wrongUsage;
}

function overallHelp(): string {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`);
  return [
    "Latchkey, a licence-key panel for mobile games.",
    "",
    "Usage: latchkey <command>",
    "",
    ...lines,
    "",
    settingsHelp,
  ].join("\n");
}

function helpFor(command: Command): string {
  return [`Usage: latchkey ${command.usage}`, "", command.summary, ...(command.help ? ["", command.help] : [])].join(
    "\n",
  );
}
