import type { RandomBytes } from "../core/random.ts";
import { createFingerprint, factorsCount } from "./fingerprint.ts";

/** The windows of one limit, by person, in one block of memory that the garbage collector does not look through. */
export interface LimitWindows {
  /** Where the person's window is; -1 where there is none. */
  find(person: string): number;
  /** Opens one for the person of the last `find`, who had none: in a free place, else in that of whoever's was opened first of some. */
  open(openedAt: number): void;
  openedAt(place: number): number;
  tries(place: number): number;
  /** At 0 the place is free. */
  setTries(place: number, tries: number): void;
}

/**
 * Some 500,000 people, in 16 MiB, of which the system gives what is used; as long as they are few, in a block for 1,024: the first
 * failed look-up after a start took 2 to 4 ms longer with the large one. A person stands in one of two groups of places, whichever has more room: of 200,000
 * hardly anybody is forgotten, of 400,000 one in a hundred. To push somebody out before the time takes that many addresses or names within the
 * window, and each name a password's hash, of which some forty a second are made for strangers.
 */
const placeBitsMax = 19;
const placeBitsAtFirst = 10;
const groupBits = 2;
const wordsPerPlace = 8;
const wordsPerGroup = wordsPerPlace << groupBits;

/** A place is three words of fingerprint, one that is not used, and two doubles. */
const openedAtDouble = 2;
const triesDouble = 3;

/** Whoever has a longer name shares the limit with those whose names begin alike. */
const personCharactersMax = 200;

export function createLimitWindows(randomBytes: RandomBytes): LimitWindows {
  const factors = new Int32Array(factorsCount);
  randomBytes(new Uint8Array(factors.buffer));
  const hash = createFingerprint(factors);
  // Most limits of most servers are never tried.
  let placeBits = 0;
  let words = new Int32Array();
  let doubles = new Float64Array();
  /** How often a place was taken, which is how many are at most. */
  let taken = 0;

  return {
    find(person) {
      if (!hash.take(person, "")) hash.take(person.slice(0, personCharactersMax), "");
      if (words.length === 0) return -1;
      const place = findIn(groupOf(hash.first));
      return place === -1 ? findIn(groupOf(hash.second)) : place;
    },
    open(openedAt) {
      if (words.length === 0) allocate(placeBitsAtFirst);
      if (placeBits < placeBitsMax && taken >= 1 << (placeBits - 1)) grow();
      const place = placeToTake(groupOf(hash.first), groupOf(hash.second));
      taken += 1;
      words[place] = hash.first;
      words[place + 1] = hash.second;
      words[place + 2] = hash.third;
      doubles[(place >> 1) + openedAtDouble] = openedAt;
      doubles[(place >> 1) + triesDouble] = 1;
    },
    openedAt,
    tries,
    setTries(place, count) {
      doubles[(place >> 1) + triesDouble] = count;
    },
  };

  function allocate(bits: number): void {
    placeBits = bits;
    const block = new ArrayBuffer((wordsPerPlace * Int32Array.BYTES_PER_ELEMENT) << placeBits);
    words = new Int32Array(block);
    doubles = new Float64Array(block);
  }

  /** Half of the places at least are free, so nobody is pushed out on the way. */
  function grow(): void {
    const before = words;
    const triesBefore = doubles;
    allocate(placeBitsMax);
    for (let at = 0; at < before.length; at += wordsPerPlace) {
      if ((triesBefore[(at >> 1) + triesDouble] as number) <= 0) continue;
      const place = placeToTake(groupOf(before[at] as number), groupOf(before[at + 1] as number));
      words.set(before.subarray(at, at + wordsPerPlace), place);
    }
  }

  function tries(place: number): number {
    return doubles[(place >> 1) + triesDouble] as number;
  }

  function findIn(group: number): number {
    for (let place = group; place < group + wordsPerGroup; place += wordsPerPlace) {
      const isSame = words[place] === hash.first && words[place + 1] === hash.second && words[place + 2] === hash.third;
      if (isSame && tries(place) > 0) return place;
    }
    return -1;
  }

  function placeToTake(group: number, other: number): number {
    let first = group;
    for (let at = 0; at < wordsPerGroup; at += wordsPerPlace) {
      if (tries(group + at) <= 0) return group + at;
      if (tries(other + at) <= 0) return other + at;
      if (openedAt(group + at) < openedAt(first)) first = group + at;
      if (openedAt(other + at) < openedAt(first)) first = other + at;
    }
    return first;
  }

  function openedAt(place: number): number {
    return doubles[(place >> 1) + openedAtDouble] as number;
  }

  /** A part of the fingerprint names a group. */
  function groupOf(part: number): number {
    return (part >>> (32 - placeBits + groupBits)) * wordsPerGroup;
  }
}
