import "./config/production.ts";
import { SQLiteError } from "bun:sqlite";
import { parseArgs } from "node:util";
import { serve } from "./commands/serve.ts";
import { logDropped } from "./commands/server-log.ts";
import {
  type Command,
  type Commands,
  helpFor,
  isTerminal,
  overallHelp,
  type System,
  usageOf,
} from "./commands/terminal/command.ts";
import { createLineOutput } from "./commands/terminal/line-output.ts";
import { exitCodes, OperatorError } from "./core/operator-error.ts";
import { Refusal } from "./core/refusal.ts";
import { printable } from "./core/text.ts";

/** How long a process that ends waits for the reader of its log. */
const logReadMsMax = 500;

const log = createLineOutput({ onDropped: logDropped });

const system: System = {
  environment: process.env,
  now: Date.now,
  monotonicMs: performance.now.bind(performance),
  randomBytes: crypto.getRandomValues.bind(crypto),
  print: (line) => console.log(line),
  log: (line) => log.write(line),
  note: (line) => console.error(line),
  readInput: () => Bun.stdin.text(),
  inputBytes: () => Bun.stdin.stream(),
  // `Bun.write` fails on a pipe that is temporarily full.
  send: async (content) => (await import("node:stream/promises")).pipeline(content, process.stdout),
  progress: (line) => void (process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line ?? ""}`)),
  isTerminal: (stream) => isTerminal(stream === "input" ? 0 : 1),
};

// Only Latchkey's own user can read its files: the database holds password hashes.
process.umask(0o077);
const exitCode = await run(process.argv.slice(2));
await log.end(logReadMsMax);
process.exit(exitCode);

async function run(args: string[]): Promise<number> {
  const words = args.length === 0 || args[0]?.startsWith("--demo") ? ["serve", ...args] : args;
  const [first = ""] = words;
  if (first === "--version" || first === "-v") return run(["version"]);
  // Starting the server loads no other command.
  const commands: Commands = first === "serve" ? { serve } : (await import("./commands/commands.ts")).commands;
  const asked = words.filter((word) => !isHelp(word));
  if (isHelp(first)) return sayHelp(asked, commands);
  const name = [words.slice(0, 2).join(" "), first].find((candidate) => Object.hasOwn(commands, candidate));
  const command = name === undefined ? undefined : commands[name];
  return name !== undefined && command ? runCommand(name, command, words) : noCommand(words, commands);
}

function isHelp(word: string): boolean {
  return word === "help" || word === "--help" || word === "-h";
}

function sayHelp(words: string[], commands: Commands): number {
  const help = words.length === 0 ? overallHelp(commands) : helpFor(words, commands);
  if (help === null) return noCommand(words, commands);
  system.print(help);
  return exitCodes.done;
}

/** The first word may belong to several commands. */
function noCommand([first = "", ...rest]: string[], commands: Commands): number {
  const group = helpFor([first], commands);
  if (first.startsWith("-")) return wrongUsage(`There is no option ${first}.`);
  if (group === null) return wrongUsage(`There is no command ${first}.`);
  if (rest.length > 0 && rest.every(isHelp)) return sayHelp([first], commands);
  return wrongUsage(
    rest[0] === undefined ? `${first} needs a subcommand.` : `There is no command ${first} ${rest[0]}.`,
    group,
  );
}

async function runCommand(name: string, command: Command, words: string[]): Promise<number> {
  const operands = command.operands ?? [];
  const howTo = `${usageOf(command)}\nSee \`latchkey help ${name}\`.`;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
    const args = words.slice(name.split(" ").length);
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return wrongUsage(optionSentence(name, error as NodeJS.ErrnoException), howTo);
  }
  if (parsed.values.help) return sayHelp([name], { [name]: command });
  const isBare = parsed.positionals.length === 0 && command.mayLackOperands;
  if (parsed.positionals.length !== operands.length && !isBare) {
    const wanted = operands.length === 0 ? "no arguments" : operands.map((operand) => `<${operand}>`).join(" ");
    return wrongUsage(`${name} takes ${wanted}.`, howTo);
  }
  try {
    await command.run(system, parsed.positionals, parsed.values);
    return exitCodes.done;
  } catch (error) {
    const { complain = ({ note }: System, sentence: string) => note(sentence) } = command;
    complain(system, complaintOf(error));
    return error instanceof OperatorError ? error.exitCode : exitCodes.failed;
  }
}

/** The messages of `parseArgs` are longer than an operator needs. */
function optionSentence(name: string, { code, message }: NodeJS.ErrnoException): string {
  const [, option] = message.match(/'(-[^']*)'/) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && option) return `${name} has no option ${option}.`;
  return `${message.replace(/\.$/, "")}.`;
}

/** An error that an operator can fix is one sentence. Any other is a fault of the program, with its stack. */
function complaintOf(error: unknown): string {
  if (error instanceof OperatorError || error instanceof Refusal) return printable(error.message);
  if (isFilesFault(error)) return printable(`The data folder cannot be used: ${error.message}. Check DATA_DIR.`);
  return Bun.inspect(error);
}

/** Errors of the file system (no permission, full) and of SQLite about foreign or damaged files. */
function isFilesFault(error: unknown): error is Error {
  if (error instanceof SQLiteError) return !/^SQLITE_(ERROR|CONSTRAINT|MISUSE|MISMATCH|RANGE)/.test(error.code ?? "");
  return error instanceof Error && "syscall" in error;
}

function wrongUsage(sentence: string, howTo = "`latchkey help` lists the commands."): number {
  console.error(`${printable(sentence)}\n\n${howTo}`);
  return exitCodes.wrongUsage;
}
