import { configureSync, getJsonLinesFormatter, getLogger, type LogRecord } from "@logtape/logtape";
import type { Config } from "../config/config.ts";
import type { System } from "./terminal/command.ts";

const log = getLogger(["latchkey", "server"]);

/**
 * Whatever the server says is one stream of one form, on the standard output: JSON lines for programs, text for a person at a terminal. Lines of its
 * own start and end are there at every LOG_LEVEL. Answers how to say one.
 */
export function beginServerLog({ logLevel }: Pick<Config, "logLevel">, system: System): (line: string) => void {
  // A terminal is a person's: it is taken at once, and other programs write to it as well.
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
  return (line) => log.info(asItStands(line));
}

/** The last line of a server that does not start or fails, in the same stream and form, also where no setting could be read. */
export function logFailure(system: System, reason: string): void {
  beginServerLog({ logLevel: "error" }, system);
  log.fatal(asItStands(reason), { event: "server_failed" });
}

/** Once the log is read again. */
export function tellOfDropped(lines: number): void {
  log.warn("{lines} lines of the log were left out, because nobody read it.", { event: "log_dropped", lines });
}

/** A path may hold a brace, which would begin the name of a property. */
function asItStands(text: string): string {
  return text.replace(/[{}]/g, "$&$&");
}

/** The time of day, what is worth a look, the message, and what stands in no message. */
function textOf({ timestamp, level, message, properties }: LogRecord): string {
  const time = new Date(timestamp).toISOString().slice(11, 19);
  const said = message.map((part) => (typeof part === "string" ? part : String(part))).join("");
  const more = Object.entries(properties)
    .filter(([, value]) => value !== null && value !== undefined && !said.includes(String(value)))
    .map(([name, value]) => `${name}=${value}`);
  return [time, ...(level === "info" || level === "debug" ? [] : [level.toUpperCase()]), said, ...more].join(" ");
}
