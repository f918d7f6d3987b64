/** Of both texts and what stands between them. Verification takes 128 characters of each, and a lower-case text may be longer than what was sent. */
const charactersMax = 400;
export const factorsCount = charactersMax * 3;

/** Stands between the texts. Neither has it: so "ab" with "c" is not "a" with "bc". */
const boundary = "\0";

/**
 * Two texts, as a key's and a device's, are recognised by 96 bits of a hash, with random factors that nobody outside this process knows
 * (multilinear hashing): that one pair is taken for another is as likely as guessing a key of 15 letters, and nobody can bring it about.
 */
export interface Fingerprint {
  first: number;
  second: number;
  third: number;
  /** Answers false where the texts are longer than what is remembered. */
  take(one: string, other: string): boolean;
}

export function createFingerprint(factors: ArrayLike<number>): Fingerprint {
  const fingerprint: Fingerprint = {
    first: 0,
    second: 0,
    third: 0,
    take(one, other) {
      if (one.length + 1 + other.length > charactersMax) return false;
      fingerprint.first = fingerprint.second = fingerprint.third = 0;
      mix(other, mix(boundary, mix(one, 0)));
      fingerprint.first = spread(fingerprint.first);
      fingerprint.second = spread(fingerprint.second);
      fingerprint.third = spread(fingerprint.third);
      return true;
    },
  };
  return fingerprint;

  /** Adds a text that begins at some position, and answers where the next one does. */
  function mix(text: string, position: number): number {
    let { first, second, third } = fingerprint;
    for (let index = 0, factor = position * 3; index < text.length; index += 1, factor += 3) {
      const character = text.charCodeAt(index) + 1;
      first = (first + Math.imul(character, factors[factor] as number)) | 0;
      second = (second + Math.imul(character, factors[factor + 1] as number)) | 0;
      third = (third + Math.imul(character, factors[factor + 2] as number)) | 0;
    }
    fingerprint.first = first;
    fingerprint.second = second;
    fingerprint.third = third;
    return position + text.length;
  }
}

/** MurmurHash3's last step. Of names that are counted up the sums lie in rows: whoever takes a place by a part of one would have some places full early. */
function spread(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
