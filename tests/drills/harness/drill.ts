/**
 * A promise of docs/reliability.md and the code that checks it. A file in `tests/drills` that exports `drill` is a
 * drill named after the file. The patch of the same name breaks the product in a way that the drill must detect.
 */
export interface Drill<Size = unknown> {
  /** Its number in docs/reliability.md. */
  number: `R${number}`;
  promise: string;
  /**
   * How much work each form does. If `short` is `null`, the short run skips the drill for the reason in `longOnly`.
   * `proof` is the amount that detects the patches, if it differs from `short`.
   */
  sizes: { short: Size | null; long: Size; proof?: Size };
  longOnly?: string;
  /**
   * Also runs on PostgreSQL. The other drills are about the database file, or measure times that hardly depend on the
   * database.
   */
  onPostgres?: boolean;
  /** The short form mostly waits and measures no time, so it runs beside the others, three of its kind at once. */
  waitsMostly?: boolean;
  /**
   * Returns the findings as text. Throws if the promise is broken, and throws `NotRun` if this machine cannot run the
   * drill.
   */
  run(size: Size, form: Form): Promise<string>;
}

export type Engine = "sqlite" | "postgres";

/** The short run asserts wide time bounds because CI machines are shared. The long run asserts the promised bounds. */
export type Form = "short" | "long" | "proof";

/** This machine cannot run the drill. It counts as not run, never as passed. */
export class NotRun extends Error {}

export interface Outcome {
  /** "broke off" is a failure that says nothing about the promise: something that the drill needs did not work. */
  outcome: "passed" | "failed" | "broke off" | "not run";
  /** The findings, or why it failed or was not run. */
  found: string;
}
