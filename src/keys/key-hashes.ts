import { createFingerprint } from "../http/fingerprint.ts";

/** What is told of a key by numbers alone: the three hashes of its text, and its id. */
export const wordsPerKey = 4;

/** The keys one behind the other, hashed by these factors. Texts that are too long for a key are none, and left out. */
export function hashesOf(factors: Int32Array, keys: readonly { id: number; text: string }[]): Int32Array<ArrayBuffer> {
  const hash = createFingerprint(factors);
  const words = new Int32Array(keys.length * wordsPerKey);
  let used = 0;
  for (const { id, text } of keys) {
    if (!hash.take(text, "")) continue;
    words[used] = hash.first;
    words[used + 1] = hash.second;
    words[used + 2] = hash.third;
    words[used + 3] = id;
    used += wordsPerKey;
  }
  return words.slice(0, used);
}
