import { createFingerprint } from "../fingerprint.ts";

/** A million keys take 2 MiB, and of texts that are no key one in two hundred is taken for one. Past eight million more of them are. */
const bitsPerKey = 16;
const hashesPerText = 3;
const bitsMin = 2 ** 16;
const bitsMax = 2 ** 27;

/** A Bloom filter of key texts: it forgets none, and takes a few other texts for one. */
export interface KeyFilter {
  /** `false` is certain. */
  mayHold(text: string): boolean;
  add(text: string): void;
  /** What `hashesOf` made of texts elsewhere, by the same factors. */
  addHashes(hashes: Int32Array): void;
}

/** `factors` are random numbers that nobody outside this process knows: so nobody can find texts that the filter takes for keys. */
export function createKeyFilter(factors: ArrayLike<number>, keys: number): KeyFilter {
  const bits = Math.min(bitsMax, Math.max(bitsMin, 2 ** Math.ceil(Math.log2(keys * bitsPerKey))));
  const words = new Int32Array(bits / 32);
  /** A bit is named by the upper bits of a hash. */
  const shift = 32 - Math.log2(bits);
  const hash = createFingerprint(factors);

  return {
    mayHold(text) {
      if (!hash.take(text, "")) return true;
      return isSet(hash.first) && isSet(hash.second) && isSet(hash.third);
    },
    add(text) {
      addHashes(hashesOf(factors, [text]));
    },
    addHashes,
  };

  function addHashes(hashes: Int32Array): void {
    for (const each of hashes) {
      const bit = each >>> shift;
      words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }

  function isSet(each: number): boolean {
    const bit = each >>> shift;
    return ((words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }
}

/** The hashes of each text, one behind the other. Texts that are too long for a key are none, and left out. */
export function hashesOf(factors: ArrayLike<number>, texts: string[]): Int32Array<ArrayBuffer> {
  const hash = createFingerprint(factors);
  const hashes = new Int32Array(texts.length * hashesPerText);
  let used = 0;
  for (const text of texts) {
    if (!hash.take(text, "")) continue;
    hashes[used] = hash.first;
    hashes[used + 1] = hash.second;
    hashes[used + 2] = hash.third;
    used += hashesPerText;
  }
  return hashes.slice(0, used);
}
