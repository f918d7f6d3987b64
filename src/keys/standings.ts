import { getLogger } from "@logtape/logtape";
import { msPerMinute } from "../core/clock.ts";
import type { RandomBytes } from "../core/random.ts";
import type { Database } from "../db/contract.ts";
import { createFingerprint, factorsCount } from "../http/fingerprint.ts";
import { connectedReading } from "./connected-reading.ts";
import * as store from "./devices/device-store.ts";
import { createKnownKeys } from "./known-keys.ts";
import { createStandingMemory, devicesMax } from "./standing-memory.ts";

const log = getLogger(["latchkey", "keys"]);

/**
 * How keys stand with devices. Connected devices are answered from memory, because they ask at every start of every game; what is remembered is
 * never older than the last change that was acknowledged. Whoever changes what a standing is made of does it through here; `structure.test.ts`
 * knows the stores that can.
 */
export interface Standings {
  /** How a connected device stands, or that the text is certainly no key, in this very turn; `null` where neither is remembered. */
  remembered(keyText: string, deviceId: string): store.StandingRow | "no key" | null;
  /** How a device stands that is not remembered, from the database where it is asked; `null` where there is no such key. */
  of(keyText: string, deviceId: string): Promise<store.StandingRow | null>;
  /** Carries out a change of these keys, and forgets them before anybody is told: also where the change failed, and might yet have happened. */
  changing<Result>(keyIds: readonly number[], change: () => Promise<Result>): Promise<Result>;
  /** Forgets keys that have changed, for who must do so at an instant of its own. */
  forget(keyIds: Iterable<number>): void;
  /** Remembers the devices that are connected, and which texts are no key, before they are asked about, as far as nothing comes in between. */
  rememberConnected(): Promise<void>;
  /** Does so soon, and again soon after all was forgotten, though not more often than once a minute. Answers how to stop. */
  begin(): () => void;
}

/** After a start the server answers first. Later on, whatever another process writes empties the memory: a backup from the command line does, each time. */
const lookEveryMs = 500;
/** From one filling to the next at the least, because what empties it may do so again and again. */
const againAfterMs = msPerMinute;

/** Readings are counted by account, so that nobody takes all of them. This one is the server's own. */
const nobody = 0;

export function createStandings({
  database,
  randomBytes,
}: {
  database: Database;
  randomBytes: RandomBytes;
}): Standings {
  const factors = new Int32Array(factorsCount);
  randomBytes(new Uint8Array(factors.buffer));
  // Both have the same one, so that a key's text is hashed once for both.
  const fingerprint = createFingerprint(factors);
  const memory = createStandingMemory(fingerprint);
  const knownKeys = createKnownKeys({ database, fingerprint });
  let versionKnown = database.versionByOthers();
  /** A look-up during which something was forgotten may have read what was there before, and is not remembered. */
  let timesForgotten = 0;
  /** Keys that change while what they were is being read. */
  let changedMeanwhile: Set<number> | null = null;
  /** How often the memory had been emptied when it was filled last. */
  let filledAt = -1;

  return {
    remembered(keyText, deviceId) {
      if (currentVersion() === null) return null;
      const text = keyText.toLowerCase();
      // First what is small: of the devices' memory no cache of the processor holds much, of this one much.
      return knownKeys.isAbsent(text) ? "no key" : memory.find(text, deviceId);
    },

    async of(keyText, deviceId) {
      const version = currentVersion();
      const text = keyText.toLowerCase();
      const timesBefore = timesForgotten;
      const keyId = knownKeys.idOf(text);
      const expected = keyId && (await store.standingOfKey(database.read, { keyId, keyText: text, deviceId }));
      const standing = expected || (await store.standingOf(database.read, text, deviceId));
      if (standing === null) await knownKeys.takeIn();
      if (standing && version !== null && timesForgotten === timesBefore) memory.keep(text, deviceId, standing);
      return standing;
    },

    async changing(keyIds, change) {
      try {
        return await change();
      } finally {
        forget(keyIds);
      }
    },

    forget,

    rememberConnected,

    begin() {
      let isStopping = false;
      let notBeforeMs = 0;
      const looking = setInterval(() => {
        // Where it is not known who has written, that is soon.
        if (currentVersion() === null || filledAt === memory.timesEmptied() || performance.now() < notBeforeMs) return;
        notBeforeMs = performance.now() + againAfterMs;
        rememberConnected().catch((error) => {
          if (!isStopping) log.warn("Connected devices are not remembered before they ask: {error}", { error });
        });
      }, lookEveryMs).unref();
      return () => {
        isStopping = true;
        clearInterval(looking);
        // Whatever is under way ends with its next piece.
        forgetAll();
      };
    },
  };

  /** A key that changes after the instant of the reading is forgotten when it does, and passed over from then on: so a piece may be as old as it likes. */
  async function rememberConnected(): Promise<void> {
    if (changedMeanwhile || currentVersion() === null) return;
    const changed = new Set<number>();
    changedMeanwhile = changed;
    try {
      memory.makeRoom(await store.countConnected(database.scan));
      const emptiedBefore = memory.timesEmptied();
      const given = { factors: [...factors], devicesMax };
      for await (const piece of await database.stream(connectedReading, given, nobody)) {
        currentVersion();
        if (memory.timesEmptied() !== emptiedBefore) return;
        memory.keepWritten(new Int32Array(piece.buffer), (keyId) => changed.has(keyId));
      }
      await knownKeys.fill();
      filledAt = emptiedBefore;
    } finally {
      changedMeanwhile = null;
    }
  }

  /** Forgets everything where another process has changed the database. Where that is not known, what is remembered may yet be of use. */
  function currentVersion(): number | null {
    const version = database.versionByOthers();
    if (version !== null && version !== versionKnown) {
      forgetAll();
      versionKnown = version;
    }
    return version;
  }

  function forget(keyIds: Iterable<number>): void {
    timesForgotten += 1;
    for (const keyId of keyIds) {
      changedMeanwhile?.add(keyId);
      memory.forgetKey(keyId);
    }
  }

  function forgetAll(): void {
    timesForgotten += 1;
    memory.forgetAll();
    knownKeys.forget();
  }
}
