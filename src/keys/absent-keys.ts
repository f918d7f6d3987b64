import type { Database } from "../database/database.ts";
import type { Fingerprint } from "../fingerprint.ts";
import { createKeyFilter, type KeyFilter } from "./key-filter.ts";
import { keyFilterReading } from "./key-filter-reading.ts";
import { lastKeyId, loweredTextsAfter } from "./key-filter-store.ts";

/**
 * Which texts are no key, known without asking the database: whoever tries out texts takes as little time from everybody else as a connected
 * device. It is as true as a look-up of the same moment. Whoever uses it forgets all when another process has changed the database.
 */
export interface AbsentKeys {
  /** Whether a text, in lower case, is certainly no key. Nothing is known of any once something was written, until it is taken in. */
  has(text: string): boolean;
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
  /** All keys up to this id are in it. */
  lastId: number;
  /** Of how many commits that is all. */
  commits: number;
}

export function createAbsentKeys({
  database,
  fingerprint,
}: {
  database: Pick<Database, "read" | "stream" | "commits">;
  fingerprint: Fingerprint;
}): AbsentKeys {
  let known: Known | null = null;
  let timesForgotten = 0;

  return {
    has: (text) => known !== null && known.commits === database.commits() && !known.filter.mayHold(text),

    takeIn,

    async fill() {
      if (known !== null) return;
      const timesBefore = timesForgotten;
      // Asked before the reading begins, which therefore has all keys up to this one.
      const lastId = await lastKeyId(database.read);
      const filter = createKeyFilter(fingerprint, lastId);
      const given = { factors: [...fingerprint.factors] };
      for await (const piece of await database.stream(keyFilterReading, given, nobody)) {
        if (timesForgotten !== timesBefore) return;
        filter.addHashes(new Int32Array(piece.buffer));
      }
      if (timesForgotten !== timesBefore) return;
      known = { filter, lastId, commits: -1 };
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
    const commits = database.commits();
    if (into === null || into.commits === commits) return;
    const rows = await loweredTextsAfter(database.read, into.lastId, keysAtOnce);
    for (const { id, text } of rows) {
      into.filter.add(text);
      into.lastId = Math.max(into.lastId, id);
    }
    if (rows.length < keysAtOnce) into.commits = commits;
  }
}
