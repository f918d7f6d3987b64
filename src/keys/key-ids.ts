import type { Fingerprint } from "../http/fingerprint.ts";
import { wordsPerKey } from "./key-hashes.ts";

/**
 * A million keys take 16 MiB, and one in thirty is not remembered at the most. Past three million more of them are not, those that came first: they are
 * looked up by their text.
 */
const placeBitsMin = 12;
const placeBitsMax = 22;
const placesPerKeyMin = 1.5;

/** A hash of the text and the id. A group of places is a line of the processor's cache. */
const wordsPerPlace = 2;
const groupBits = 3;
const wordsPerGroup = wordsPerPlace << groupBits;

/**
 * Which id a key's text has, as far as it is remembered: whoever knows it looks for one row, and needs not find it by its text first. Another text may
 * have the same hash, once in some hundred million: so who looks the id up asks for the text as well.
 */
export interface KeyIds {
  /** `null` where none is remembered. */
  find(text: string): number | null;
  add(text: string, id: number): void;
  /** What `hashesOf` made of keys elsewhere, by the same factors. */
  addHashes(hashes: Int32Array): void;
}

export function createKeyIds(hash: Fingerprint, keys: number): KeyIds {
  const wanted = Math.ceil(Math.log2(Math.max(1, keys) * placesPerKeyMin));
  const placeBits = Math.min(placeBitsMax, Math.max(placeBitsMin, wanted));
  const words = new Int32Array(wordsPerPlace << placeBits);
  const shift = 32 - placeBits + groupBits;
  let turn = 0;

  return {
    find(text) {
      if (!hash.take(text, "")) return null;
      const group = groupOf(hash.second);
      for (let at = group; at < group + wordsPerGroup; at += wordsPerPlace) {
        if (words[at] === hash.third) return (words[at + 1] as number) || null;
      }
      return null;
    },
    add(text, id) {
      if (hash.take(text, "")) place(hash.second, hash.third, id);
    },
    addHashes(hashes) {
      for (let at = 0; at < hashes.length; at += wordsPerKey) {
        place(hashes[at + 1] as number, hashes[at + 2] as number, hashes[at + 3] as number);
      }
    },
  };

  /** In a group that is full the latest key takes another's place, by turns: new devices are most often those of new keys. */
  function place(second: number, third: number, id: number): void {
    const group = groupOf(second);
    let at = group;
    while (at < group + wordsPerGroup && words[at + 1] !== 0) at += wordsPerPlace;
    if (at === group + wordsPerGroup) {
      turn = (turn + 1) % (1 << groupBits);
      at = group + turn * wordsPerPlace;
    }
    words[at] = third;
    words[at + 1] = id;
  }

  function groupOf(second: number): number {
    return (second >>> shift) * wordsPerGroup;
  }
}
