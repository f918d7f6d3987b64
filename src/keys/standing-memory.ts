import type { StandingRow } from "./device-store.ts";
import { games } from "./games.ts";

/**
 * How many connected devices are remembered, to begin with and at most: that takes 64 MiB, and a shop of a million keys fits. Past it the next
 * device takes the place of one in its groups.
 */
const entryBitsMin = 12;
const entryBitsMax = 21;

/** A table that is fuller than this is given up for an empty one of twice its size: remembering anew costs less than copying at once. */
const fullness = 0.8;

/** A device stands in one of two groups of places, whichever has more room: so a table that is rather full still loses few. */
const placeBits = 2;

/** 32-bit words of an entry: three of fingerprint, the key's generation, two of expiry, the key's id, and its owner's place, game, limit and count. */
const wordsPerEntry = 8;
const generationAt = 3;
const expiryAt = 4;
const keyIdAt = 6;
const figuresAt = 7;
const wordsPerGroup = wordsPerEntry << placeBits;
const keyIdMax = 2 ** 31 - 1;
/** Owners whose keys are remembered: so many places are told apart in what the other figures leave of their word. */
const ownersMax = 2 ** 14;

/** Of key text, boundary and device id. Verification takes 128 characters of each, and a lower-case text may be longer than what was sent. */
const charactersMax = 400;

/** Stands between key text and device id. No device id has it: so "ab" with "c" is not "a" with "bc". */
const boundary = "\0";

/** What connected devices were last told of their keys, in one block of memory that the garbage collector does not look through. */
export interface StandingMemory {
  find(keyText: string, deviceId: string): StandingRow | null;
  /** Does nothing for a device that is not connected, and for a key that is revoked: those are not remembered. */
  keep(keyText: string, deviceId: string, standing: StandingRow): void;
  forgetKey(keyId: number): void;
  forgetAll(): void;
}

/**
 * A device is recognised by 96 bits of a hash of key text and device id, with random factors that nobody outside this process knows
 * (multilinear hashing): that one is taken for another is as likely as guessing a key of 15 letters, and nobody can bring it about.
 *
 * An entry holds for the generation of its key in which it was made. To forget a key is to begin its next generation.
 */
export function createStandingMemory(drawFactors: (factors: Int32Array<ArrayBuffer>) => void): StandingMemory {
  let entryBits = 0;
  let words = new Int32Array();
  let doubles = new Float64Array();
  let placesUsed = 0;
  // Keys share them: to forget one may be to forget another too.
  let generations = new Int32Array();
  let owners: (number | null)[] = [];
  let placeOfOwner = new Map<number | null, number>();
  beginWith(entryBitsMin);
  const factors = new Int32Array(charactersMax * 3);
  drawFactors(factors);
  // The fingerprint that was computed last.
  let first = 0;
  let second = 0;
  let third = 0;
  let turn = 0;

  return {
    find(keyText, deviceId) {
      if (!fingerprint(keyText, deviceId)) return null;
      let at = findIn(groupOf(first));
      if (at === -1) at = findIn(groupOf(second));
      return at === -1 || isOver(at) ? null : standingAt(at);
    },

    keep(keyText, deviceId, { id, game, deviceLimit, deviceCount, expiresAt, revokedAt, resellerId, isKnown }) {
      if (isKnown === 0 || revokedAt !== null || id > keyIdMax || !fingerprint(keyText, deviceId)) return;
      if (entryBits < entryBitsMax && placesUsed > fullness * 2 ** entryBits) beginWith(entryBits + 1);
      const owner = ownerPlace(resellerId);
      if (owner === ownersMax) return;
      const at = placeToTake();
      if (words[at + keyIdAt] === 0) placesUsed += 1;
      words[at] = first;
      words[at + 1] = second;
      words[at + 2] = third;
      words[at + generationAt] = generationOf(id);
      doubles[(at + expiryAt) >> 1] = expiresAt;
      words[at + keyIdAt] = id;
      words[at + figuresAt] = (owner << 18) | (games.indexOf(game) << 16) | (deviceLimit << 8) | deviceCount;
    },

    forgetKey(keyId) {
      const slot = keyId % generations.length;
      generations[slot] = generationOf(keyId) + 1;
      // The count has gone round, so what was kept four billion generations ago would hold again.
      if (generations[slot] === 0) forgetAll();
    },

    forgetAll,
  };

  function forgetAll(): void {
    beginWith(entryBitsMin);
  }

  function beginWith(bits: number): void {
    entryBits = bits;
    words = new Int32Array(wordsPerEntry << entryBits);
    doubles = new Float64Array(words.buffer);
    generations = new Int32Array(1 << entryBits);
    owners = [];
    placeOfOwner = new Map();
    placesUsed = 0;
  }

  /** `ownersMax` where all are taken. */
  function ownerPlace(resellerId: number | null): number {
    const known = placeOfOwner.get(resellerId);
    if (known !== undefined || owners.length === ownersMax) return known ?? ownersMax;
    placeOfOwner.set(resellerId, owners.length);
    return owners.push(resellerId) - 1;
  }

  /** Answers false where the texts are longer than what is remembered. */
  function fingerprint(keyText: string, deviceId: string): boolean {
    if (keyText.length + 1 + deviceId.length > charactersMax) return false;
    first = second = third = 0;
    mix(deviceId, mix(boundary, mix(keyText, 0)));
    return true;
  }

  /** Adds a text that begins at some position, and answers where the next one does. */
  function mix(text: string, position: number): number {
    let [a, b, c] = [first, second, third];
    for (let index = 0, factor = position * 3; index < text.length; index += 1, factor += 3) {
      const character = text.charCodeAt(index) + 1;
      a = (a + Math.imul(character, factors[factor] as number)) | 0;
      b = (b + Math.imul(character, factors[factor + 1] as number)) | 0;
      c = (c + Math.imul(character, factors[factor + 2] as number)) | 0;
    }
    [first, second, third] = [a, b, c];
    return position + text.length;
  }

  function standingAt(at: number): StandingRow {
    const figures = words[at + figuresAt] as number;
    return {
      id: words[at + keyIdAt] as number,
      game: games[(figures >> 16) & 0b11] as StandingRow["game"],
      deviceLimit: (figures >> 8) & 0xff,
      deviceCount: figures & 0xff,
      expiresAt: doubles[(at + expiryAt) >> 1] as number,
      revokedAt: null,
      resellerId: owners[figures >>> 18] as number | null,
      isKnown: 1,
    };
  }

  /** The device's own place, else one that is free in the group that has more of them, else that of another device, by turns. */
  function placeToTake(): number {
    const [group, other] = [groupOf(first), groupOf(second)];
    const own = Math.max(findIn(group), findIn(other));
    if (own !== -1) return own;
    for (let place = 0; place < wordsPerGroup; place += wordsPerEntry) {
      if (isFree(group + place)) return group + place;
      if (isFree(other + place)) return other + place;
    }
    turn = (turn + 1) % (1 << placeBits);
    return group + turn * wordsPerEntry;
  }

  function findIn(group: number): number {
    for (let at = group; at < group + wordsPerGroup; at += wordsPerEntry) {
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return at;
    }
    return -1;
  }

  function isFree(at: number): boolean {
    return words[at + keyIdAt] === 0 || isOver(at);
  }

  function isOver(at: number): boolean {
    return words[at + generationAt] !== generationOf(words[at + keyIdAt] as number);
  }

  function generationOf(keyId: number): number {
    return generations[keyId % generations.length] as number;
  }

  /** A part of the fingerprint names a group, by its upper bits, which are the better mixed ones. */
  function groupOf(part: number): number {
    return (part >>> (32 - entryBits + placeBits)) * wordsPerGroup;
  }
}
