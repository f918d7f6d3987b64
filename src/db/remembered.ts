import type { Database } from "./contract.ts";

/** One answer of the database that is kept in memory until something changes it. */
export interface Remembered<Value> {
  value(): Promise<Value>;
  /** Carries out a change, and forgets the value before anybody is told: also where the change failed, and might yet have happened. */
  changing<Result>(change: () => Promise<Result>): Promise<Result>;
}

export function remember<Value extends object>(database: Database, read: () => Promise<Value>): Remembered<Value> {
  let kept: Value | null = null;
  let versionKnown: number | null = null;
  /** What was read while something was forgotten may be from before, and is not kept. */
  let timesForgotten = 0;

  return {
    async value() {
      const version = database.versionByOthers();
      if (version !== versionKnown) forget();
      versionKnown = version;
      if (kept !== null) return kept;
      const timesBefore = timesForgotten;
      const value = await read();
      if (version !== null && timesForgotten === timesBefore) kept = value;
      return value;
    },
    async changing(change) {
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
