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
  /** Answers false where the texts are longer than what is remembered. What was the first text the last time too is not hashed again. */
  take(one: string, other: string): boolean;
  readonly factors: Int32Array;
}

export function createFingerprint(factors: Int32Array): Fingerprint {
  const sums = { first: 0, second: 0, third: 0 };
  /** The first text of the last time, and the sums after it. */
  const known = { text: "", first: 0, second: 0, third: 0 };

  const fingerprint: Fingerprint = {
    first: 0,
    second: 0,
    third: 0,
    take(one, other) {
      if (one.length + 1 + other.length > charactersMax) return false;
      if (one === known.text) {
        copy(known, sums);
      } else {
        sums.first = sums.second = sums.third = 0;
        add(one, 0);
        copy(sums, known);
        known.text = one;
      }
      add(boundary, one.length);
      add(other, one.length + 1);
      fingerprint.first = spread(sums.first);
      fingerprint.second = spread(sums.second);
      fingerprint.third = spread(sums.third);
      return true;
    },
    factors,
  };
  return fingerprint;

  /** A text that begins at some position. */
  function add(text: string, position: number): void {
    let { first, second, third } = sums;
    for (let index = 0, factor = position * 3; index < text.length; index += 1, factor += 3) {
      const character = text.charCodeAt(index) + 1;
      first = (first + Math.imul(character, factors[factor] as number)) | 0;
      second = (second + Math.imul(character, factors[factor + 1] as number)) | 0;
      third = (third + Math.imul(character, factors[factor + 2] as number)) | 0;
    }
    sums.first = first;
    sums.second = second;
    sums.third = third;
  }
}

type Sums = Pick<Fingerprint, "first" | "second" | "third">;

function copy(from: Sums, to: Sums): void {
  to.first = from.first;
  to.second = from.second;
  to.third = from.third;
}

/** MurmurHash3's last step. Of names that are counted up the sums lie in rows: whoever takes a place by a part of one would have some places full early. */
function spread(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
