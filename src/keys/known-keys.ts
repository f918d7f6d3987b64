import type { Database } from "../db/contract.ts";
import type { Fingerprint } from "../http/fingerprint.ts";
import { createKeyFilter, type KeyFilter } from "./key-filter.ts";
import { createKeyIds, type KeyIds } from "./key-ids.ts";
import { knownKeysReading } from "./known-keys-reading.ts";
import { lastKeyId, loweredTextsAfter } from "./known-keys-store.ts";

/**
 * What is known of key texts without asking the database. Which are no key: whoever tries out texts takes as little time from everybody else as a
 * connected device, and it is as true as a look-up of the same moment. And which id a key probably has: a new device is looked up by it. Whoever
 * uses it forgets all when another process has changed the database.
 */
export interface KnownKeys {
  /** Whether a text, in lower case, is certainly no key. Nothing is known of any once something was written, until it is taken in. */
  isAbsent(text: string): boolean;
  /** The id of the key that a text, in lower case, most likely is; `null` where none is known. */
  idOf(text: string): number | null;
  /** Takes in the keys that were made since, some at once: so nobody waits long for all of them. Who looked a text up in vain does so for the next. */
  takeIn(): Promise<void>;
  /** Reads the texts of all keys, unless that was done. Until then nothing is known of any text. */
  fill(): Promise<void>;
  forget(): void;
}

/** The readings are the server's own, of nobody's account. */
const nobody = 0;

/** Keys that are taken in at once, of those that were made since. */
const keysAtOnce = 1_000;

interface Known {
  filter: KeyFilter;
  ids: KeyIds;
  /** All keys up to this id are in both. */
  lastId: number;
}

export function createKnownKeys({
  database,
  fingerprint,
}: {
  database: Pick<Database, "read" | "stream">;
  fingerprint: Fingerprint;
}): KnownKeys {
  let known: Known | null = null;
  let timesForgotten = 0;

  return {
    // The contract tells of no commits any more, so a text may always be a key that was made since.
    isAbsent: () => false,

    idOf: (text) => known?.ids.find(text) ?? null,

    takeIn,

    async fill() {
      if (known !== null) return;
      const timesBefore = timesForgotten;
      // Asked before the reading begins, which therefore has all keys up to this one.
      const lastId = await lastKeyId(database.read);
      const [filter, ids] = [createKeyFilter(fingerprint, lastId), createKeyIds(fingerprint, lastId)];
      const given = { factors: [...fingerprint.factors] };
      for await (const piece of await database.stream(knownKeysReading, given, nobody)) {
        if (timesForgotten !== timesBefore) return;
        const hashes = new Int32Array(piece.buffer);
        filter.addHashes(hashes);
        ids.addHashes(hashes);
      }
      if (timesForgotten !== timesBefore) return;
      known = { filter, ids, lastId };
      await takeIn();
    },

    forget() {
      timesForgotten += 1;
      known = null;
    },
  };

  /** Keys are made in the order of their ids, one transaction after the other: so all that are new stand after the last that is known. */
  async function takeIn(): Promise<void> {
    const into = known;
    if (into === null) return;
    const rows = await loweredTextsAfter(database.read, into.lastId, keysAtOnce);
    for (const { id, text } of rows) {
      into.filter.add(text);
      into.ids.add(text, id);
      into.lastId = Math.max(into.lastId, id);
    }
  }
}
