import { configureSync, getJsonLinesFormatter, getLogger, type LogRecord } from "@logtape/logtape";
import type { Config } from "../config/config.ts";
import type { System } from "./terminal/command.ts";

const log = getLogger(["latchkey", "server"]);
const settingsLog = getLogger(["latchkey", "settings"]);

/**
 * Sends the server's log to the standard output: JSON lines for programs, text at a terminal. Lines about its start and
 * end appear at every LOG_LEVEL; the returned function writes one.
 */
export function startServerLog({ logLevel }: Pick<Config, "logLevel">, system: System): (line: string) => void {
  // A terminal reads at once, and other programs write to it too.
  const [write, formatted] = system.isTerminal("output")
    ? ([system.print, textOf] as const)
    : ([system.log, getJsonLinesFormatter({ properties: "flatten" })] as const);
  const sinks = ["lines"];
  configureSync({
    reset: true,
    sinks: { lines: (record: LogRecord) => write(formatted(record).trimEnd()) },
    loggers: [
      { category: ["latchkey"], sinks, lowestLevel: logLevel },
      { category: ["latchkey", "server"], sinks, parentSinks: "override", lowestLevel: "info" },
      { category: ["logtape", "meta"], sinks, lowestLevel: "warning" },
    ],
  });
  return (line) => log.info(escaped(line));
}

/** Logs why a server did not start or failed, even if no setting could be read. */
export function logFailure(system: System, reason: string): void {
  startServerLog({ logLevel: "error" }, system);
  log.fatal(escaped(reason), { event: "server_failed" });
}

/** Logs that a setting is probably not what the operator meant. */
export function logDoubtful(sentence: string): void {
  settingsLog.warn(escaped(sentence), { event: "setting_doubtful" });
}

/** Called once the log is read again. */
export function logDropped(lines: number): void {
  log.warn("{lines} log lines are missing because the log's reader was too slow.", { event: "log_dropped", lines });
}

/** A brace, for instance in a path, would start the name of a property. */
function escaped(text: string): string {
  return text.replace(/[{}]/g, "$&$&");
}

/** The time of day, the level of warnings and errors, the message, and the properties that it does not mention. */
function textOf({ timestamp, level, message, rawMessage, properties }: LogRecord): string {
  const time = new Date(timestamp).toISOString().slice(11, 19);
  const said = message.map((part) => (typeof part === "string" ? part : String(part))).join("");
  const words = new Set(said.split(" "));
  const isMentioned = (name: string, value: unknown) => rawMessage.includes(`{${name}}`) || words.has(String(value));
  const more = Object.entries(properties)
    .filter(([name, value]) => value !== null && value !== undefined && !isMentioned(name, value))
    .map(([name, value]) => `${name}=${value}`);
  return [time, ...(level === "info" || level === "debug" ? [] : [level.toUpperCase()]), said, ...more].join(" ");
}
