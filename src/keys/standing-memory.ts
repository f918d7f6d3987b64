import type { Fingerprint } from "../http/fingerprint.ts";
import type { StandingRow } from "./devices/device-store.ts";
import {
  type Entries,
  generationAt,
  isRemembered,
  keyIdAt,
  standingAt,
  wordsPerEntry,
  writeEntry,
} from "./standing-entry.ts";

/**
 * How many connected devices are remembered, to begin with and at most: that takes 64 MiB, and a shop of a million keys fits. Past it the next
 * device takes the place of one in its groups.
 */
const entryBitsMin = 12;
const entryBitsMax = 21;

/** A table that is fuller than this is given up for an empty one of twice its size: remembering anew costs less than copying at once. */
const fullness = 0.8;

export const devicesMax = Math.floor(fullness * 2 ** entryBitsMax);

/** A device stands in one of two groups of places, and moves to its second where another needs the place: so a table that is rather full loses hardly any. */
const placeBits = 2;
const wordsPerGroup = wordsPerEntry << placeBits;
const bytesPerEntry = wordsPerEntry * Int32Array.BYTES_PER_ELEMENT;

/** What connected devices were last told of their keys, in one block of memory that the garbage collector does not look through. */
export interface StandingMemory {
  find(keyText: string, deviceId: string): StandingRow | null;
  /** Does nothing for a device that is not connected, and for a key that is revoked: those are not remembered. */
  keep(keyText: string, deviceId: string, standing: StandingRow): void;
  /** Keeps what was written elsewhere with the same factors, but for keys that `isPassedOver`. */
  keepWritten(entries: Entries, isPassedOver: (keyId: number) => boolean): void;
  /** Makes the table large enough for so many devices, and some more; one that was too small is empty then. None becomes smaller. */
  makeRoom(devices: number): void;
  forgetKey(keyId: number): void;
  forgetAll(): void;
  /** Is another number each time all was forgotten. */
  timesEmptied(): number;
}

/**
 * An entry holds the generation in which it was made, and counts as long as its key has not been forgotten since. To forget is to begin the next
 * generation, of a key or of all: the block of memory stays, and no new one of up to 64 MiB is allocated each time that another process writes.
 */
export function createStandingMemory(fingerprint: Fingerprint, generationMax = 2 ** 31 - 1): StandingMemory {
  let entryBits = 0;
  let entries: Entries = new Int32Array();
  let placesUsed = 0;
  let generation = 0;
  /** Whatever was made before this one is forgotten. */
  let firstGeneration = 0;
  /** Which one of a key is the first that counts. Keys share them: to forget one may be to forget another too. */
  let firstGenerations = new Int32Array();
  let timesEmptied = 0;
  beginWith(entryBitsMin);
  const one: Entries = new Int32Array(wordsPerEntry);
  let turn = 0;

  return {
    find(keyText, deviceId) {
      if (!fingerprint.take(keyText, deviceId)) return null;
      const { first, second, third } = fingerprint;
      let at = findIn(groupOf(first), first, second, third);
      if (at === -1) at = findIn(groupOf(second), first, second, third);
      return at === -1 || isOver(at) ? null : standingAt(entries, at);
    },

    keep(keyText, deviceId, standing) {
      if (!isRemembered(standing) || !fingerprint.take(keyText, deviceId)) return;
      writeEntry(one, 0, fingerprint, standing);
      place(one, 0);
    },

    keepWritten(written, isPassedOver) {
      for (let from = 0; from < written.length; from += wordsPerEntry) {
        if (!isPassedOver(written[from + keyIdAt] as number)) place(written, from);
      }
    },

    makeRoom(devices) {
      const wanted = Math.ceil(Math.log2((devices * 1.25) / fullness));
      if (wanted > entryBits && entryBits < entryBitsMax) beginWith(Math.min(wanted, entryBitsMax));
    },

    forgetKey(keyId) {
      beginGeneration();
      firstGenerations[keyId % firstGenerations.length] = generation;
    },

    forgetAll,
    timesEmptied: () => timesEmptied,
  };

  function forgetAll(): void {
    beginGeneration();
    firstGeneration = generation;
    placesUsed = 0;
    timesEmptied += 1;
  }

  function beginWith(bits: number): void {
    entryBits = bits;
    entries = new Int32Array(new ArrayBuffer(bytesPerEntry << entryBits));
    firstGenerations = new Int32Array(1 << entryBits);
    generation = 0;
    forgetAll();
  }

  function beginGeneration(): void {
    // What was kept when the count began would count again.
    if (generation === generationMax) beginWith(entryBits);
    generation += 1;
  }

  function place(written: Entries, from: number): void {
    if (entryBits < entryBitsMax && placesUsed > fullness * 2 ** entryBits) beginWith(entryBits + 1);
    const at = placeToTake(written, from);
    if (isOver(at)) placesUsed += 1;
    for (let word = 0; word < wordsPerEntry; word += 1) entries[at + word] = written[from + word] as number;
    entries[at + generationAt] = generation;
  }

  /**
   * The device's own place, else one that is free in its first group or in its second, else one whose device can move to its own other group, else
   * that of another device, by turns.
   */
  function placeToTake(written: Entries, from: number): number {
    const [first, second, third] = [written[from], written[from + 1], written[from + 2]] as [number, number, number];
    const [group, other] = [groupOf(first), groupOf(second)];
    const own = Math.max(findIn(group, first, second, third), findIn(other, first, second, third));
    if (own !== -1) return own;
    const free = freeIn(group);
    if (free !== -1) return free;
    const freeInOther = freeIn(other);
    if (freeInOther !== -1) return freeInOther;
    for (const full of [group, other]) {
      for (let at = full; at < full + wordsPerGroup; at += wordsPerEntry) {
        const [one, two] = [groupOf(entries[at] as number), groupOf(entries[at + 1] as number)];
        const to = freeIn(one === full ? two : one);
        if (to === -1) continue;
        entries.copyWithin(to, at, at + wordsPerEntry);
        entries[at + generationAt] = 0;
        return at;
      }
    }
    turn = (turn + 1) % (1 << placeBits);
    return group + turn * wordsPerEntry;
  }

  function freeIn(group: number): number {
    for (let at = group; at < group + wordsPerGroup; at += wordsPerEntry) {
      if (isOver(at)) return at;
    }
    return -1;
  }

  function findIn(group: number, first: number, second: number, third: number): number {
    for (let at = group; at < group + wordsPerGroup; at += wordsPerEntry) {
      if (entries[at] === first && entries[at + 1] === second && entries[at + 2] === third) return at;
    }
    return -1;
  }

  /** So is a place that nothing was ever kept in: its generation is 0, and the first is 1. */
  function isOver(at: number): boolean {
    const madeIn = entries[at + generationAt] as number;
    const keyId = entries[at + keyIdAt] as number;
    return madeIn < firstGeneration || madeIn < (firstGenerations[keyId % firstGenerations.length] as number);
  }

  /** A part of the fingerprint names a group. */
  function groupOf(part: number): number {
    return (part >>> (32 - entryBits + placeBits)) * wordsPerGroup;
  }
}
