/**
 * A promise of docs/reliability.md, and what shows that it is kept. A file in `tests/drills` that exports one as `drill` is a drill: it is
 * called by its file's name, and the patch of the same name beside it breaks the product in the way that the drill must find.
 */
export interface Drill<Size = unknown> {
  /** Its number in docs/reliability.md. */
  number: `R${number}`;
  promise: string;
  /**
   * How much of it is done. A size of the short run that is `null` leaves the drill out of it, for the reason that `longOnly` says; then
   * `proof` is enough of it to find what the patch breaks.
   */
  sizes: { short: Size | null; long: Size; proof?: Size };
  longOnly?: string;
  /** It is tried on a PostgreSQL too. The others are about the file, or judge times that are hardly the database's. */
  onPostgres?: boolean;
  /** Its short form waits more than it computes, and judges no time: it runs beside the others. */
  waitsMostly?: boolean;
  /** Answers what was found, as a figure in words. Throws where the promise is broken, and `NotRun` where it cannot be tried here. */
  run(size: Size, form: Form): Promise<string>;
}

export type Engine = "sqlite" | "postgres";

/** The short run asserts facts and wide bounds, because CI's machines are shared; the long one every bound as it is promised. */
export type Form = "short" | "long" | "proof";

/** This machine cannot run the drill: it counts as not run, never as passed. */
export class NotRun extends Error {}

export interface Outcome {
  /** "broke off" is a failure that shows nothing about the promise: what the drill needs did not work. */
  outcome: "passed" | "failed" | "broke off" | "not run";
  /** What was found, or why it failed, or why it was not run. */
  found: string;
}
