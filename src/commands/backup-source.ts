import { existsSync } from "node:fs";
import { basename } from "node:path";
import { findKept, isKeptName } from "../backups/kept-list.ts";
import { readConfig } from "../config/config.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import type { BackupSource } from "../db/copies/read-backup.ts";
import { type System, standardStream } from "./terminal/command.ts";

export interface NamedSource {
  source: BackupSource;
  /** How the record calls it. */
  name: string;
  /** How a sentence calls it. */
  called: string;
}

/** What `restore` and `verify` read: a file, a backup by its listed name, or the standard input. Throws `OperatorError`. */
export async function sourceOf(given: string, system: System): Promise<NamedSource> {
  if (given === standardStream) {
    if (!system.isTerminal("input")) {
      return { source: system.inputBytes(), name: "standard input", called: "the standard input" };
    }
    throw new OperatorError("Nobody types a database: send it through a file or a pipe.", exitCodes.wrongUsage);
  }
  if (existsSync(given) || !isKeptName(given)) return { source: given, name: basename(given), called: given };
  const { name, source } = await findKept(given, readConfig(system.environment).backups);
  return { source, name, called: typeof source === "string" ? source : `${name} in S3` };
}

/** `wal` is the journal beside it that came along. */
export function withJournal(called: string, wal: string | null): string {
  return wal ? `${called} with the changes in ${wal}` : called;
}

/** What is to be thrown in the place of an error: a sentence about the file says which it is. */
export function cannotRestore(called: string, error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  return new OperatorError(`Cannot restore ${called}. ${error.message}`);
}
