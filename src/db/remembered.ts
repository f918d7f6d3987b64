import type { Database } from "./contract.ts";

/** Keeps one result of the database in memory until something changes it. */
export function remember<Value extends object>(database: Database, read: () => Promise<Value>) {
  let kept: Value | null = null;
  let versionKnown: number | null = null;
  /** A value that was read while another was forgotten may be stale, and is not kept. */
  let timesForgotten = 0;

  return {
    async value(): Promise<Value> {
      const version = database.versionByOthers();
      if (version !== versionKnown) forget();
      versionKnown = version;
      if (kept !== null) return kept;
      const timesBefore = timesForgotten;
      const value = await read();
      if (version !== null && timesForgotten === timesBefore) kept = value;
      return value;
    },
    /**
     * Makes a change and forgets the value before the caller continues, even if the change failed: it may have been
     * committed.
     */
    async changing<Result>(change: () => Promise<Result>): Promise<Result> {
      try {
        return await change();
      } finally {
        forget();
      }
    },
  };

  function forget(): void {
    timesForgotten += 1;
    kept = null;
  }
}
