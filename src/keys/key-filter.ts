import type { Fingerprint } from "../http/fingerprint.ts";
import { wordsPerKey } from "./key-hashes.ts";

/** A million keys take 2 MiB, and of texts that are no key one in two hundred is taken for one. Past eight million more of them are. */
const bitsPerKey = 16;

const wordsPerLine = 16;
const bitsPerLine = wordsPerLine * 32;
/** So many bits of a hash name a bit of a line. */
const bitNameBits = 9;
const bitsMin = 2 ** 16;
const bitsMax = 2 ** 27;

/** A Bloom filter of key texts: it forgets none, and takes a few other texts for one. */
export interface KeyFilter {
  /** `false` is certain. */
  mayHold(text: string): boolean;
  add(text: string): void;
  /** What `hashesOf` made of keys elsewhere, by the same factors. */
  addHashes(hashes: Int32Array): void;
}

/**
 * All bits of a text lie in one line of the processor's cache, which its first hash names. What the hashes are made of is known to nobody
 * outside this process: so nobody can find texts that the filter takes for keys.
 */
export function createKeyFilter(hash: Fingerprint, keys: number): KeyFilter {
  const bits = Math.min(bitsMax, Math.max(bitsMin, 2 ** Math.ceil(Math.log2(keys * bitsPerKey))));
  const words = new Int32Array(bits / 32);
  const shift = 32 - Math.log2(bits / bitsPerLine);

  return {
    mayHold(text) {
      if (!hash.take(text, "")) return true;
      const line = (hash.first >>> shift) * wordsPerLine;
      return isSet(line, hash.second) && isSet(line, hash.second >>> bitNameBits) && isSet(line, hash.third);
    },
    add(text) {
      if (hash.take(text, "")) setBits(hash.first, hash.second, hash.third);
    },
    addHashes(hashes) {
      for (let at = 0; at < hashes.length; at += wordsPerKey) {
        setBits(hashes[at] as number, hashes[at + 1] as number, hashes[at + 2] as number);
      }
    },
  };

  function setBits(first: number, second: number, third: number): void {
    const line = (first >>> shift) * wordsPerLine;
    set(line, second);
    set(line, second >>> bitNameBits);
    set(line, third);
  }

  function set(line: number, bit: number): void {
    const word = line + ((bit >>> 5) & (wordsPerLine - 1));
    words[word] = (words[word] as number) | (1 << (bit & 31));
  }

  function isSet(line: number, bit: number): boolean {
    return ((words[line + ((bit >>> 5) & (wordsPerLine - 1))] as number) & (1 << (bit & 31))) !== 0;
  }
}
