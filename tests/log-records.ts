import { configureSync, type LogRecord } from "@logtape/logtape";

/** Returns an array that every further record of the log is added to, until the test calls `resetSync`. */
export function keepLog(): LogRecord[] {
  const records: LogRecord[] = [];
  configureSync({
    reset: true,
    sinks: { kept: (record) => void records.push(record) },
    loggers: [
      { category: ["latchkey"], sinks: ["kept"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
  return records;
}
