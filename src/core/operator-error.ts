/** The exit codes of the program. --help documents them, so scripts can rely on them. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const;

/**
 * A problem that the operator can fix: a setting, a file, a data folder that is in use. Its message is printed to
 * standard error unchanged; `exitCode` is the program's exit code.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
  }
}
