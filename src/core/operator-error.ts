/** What the program ends with. Scripts can rely on it; --help says it. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const;

/**
 * Something that the operator can put right: a setting, a file, a data folder that is in use. Its message is finished, and goes to the
 * standard error as it is; `exitCode` is what the program ends with.
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
