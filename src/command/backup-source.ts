import type { BackupSource } from "../database/intake.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import { type System, standardStream } from "./command.ts";

/** What `restore` and `verify` read: a file, or the standard input. */
export function sourceOf(name: string, system: System): BackupSource {
  if (name !== standardStream) return name;
  if (system.isTerminal("input")) {
    throw new OperatorError("Nobody types a database: send it through a file or a pipe.", exitCodes.wrongUsage);
  }
  return system.inputBytes();
}

/** How a sentence calls it; `wal` is the journal beside it that came along. */
export function called(name: string, wal: string | null): string {
  const source = name === standardStream ? "the standard input" : name;
  return wal ? `${source} with the changes in ${wal}` : source;
}

/** What is to be thrown in the place of an error: a sentence about the file says which it is. */
export function cannotRestore(name: string, error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  return new OperatorError(`Cannot restore ${called(name, null)}. ${error.message}`);
}
