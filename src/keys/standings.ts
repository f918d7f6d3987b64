import type { Database } from "../database/database.ts";
import type { RandomBytes } from "../random.ts";
import * as store from "./device-store.ts";
import { createStandingMemory } from "./standing-memory.ts";

/**
 * How keys stand with devices. Connected devices are answered from memory, because they ask at every start of every game; what is remembered is
 * never older than the last change that was acknowledged. Whoever changes what a standing is made of does it through here; `structure.test.ts`
 * knows the stores that can.
 */
export interface Standings {
  /** `null` where there is no such key. */
  of(keyText: string, deviceId: string): Promise<store.StandingRow | null>;
  /** Carries out a change of these keys, and forgets them before anybody is told: also where the change failed, and might yet have happened. */
  changing<Result>(keyIds: readonly number[], change: () => Promise<Result>): Promise<Result>;
  /** The same for a change that may concern any key. */
  changingAll<Result>(change: () => Promise<Result>): Promise<Result>;
}

export function createStandings({
  database,
  randomBytes,
}: {
  database: Database;
  randomBytes: RandomBytes;
}): Standings {
  const memory = createStandingMemory((factors) => void randomBytes(new Uint8Array(factors.buffer)));
  let versionKnown = database.versionByOthers();
  /** A look-up during which something was forgotten may have read what was there before, and is not remembered. */
  let timesForgotten = 0;

  return {
    async of(keyText, deviceId) {
      const version = database.versionByOthers();
      if (version !== versionKnown) forgetAll();
      versionKnown = version;
      const text = keyText.toLowerCase();
      const remembered = version === null ? null : memory.find(text, deviceId);
      if (remembered) return remembered;
      const timesBefore = timesForgotten;
      const standing = await store.standingOf(database.read, text, deviceId);
      if (standing && version !== null && timesForgotten === timesBefore) memory.keep(text, deviceId, standing);
      return standing;
    },

    async changing(keyIds, change) {
      try {
        return await change();
      } finally {
        timesForgotten += 1;
        for (const keyId of keyIds) memory.forgetKey(keyId);
      }
    },

    async changingAll(change) {
      try {
        return await change();
      } finally {
        forgetAll();
      }
    },
  };

  function forgetAll(): void {
    timesForgotten += 1;
    memory.forgetAll();
  }
}
