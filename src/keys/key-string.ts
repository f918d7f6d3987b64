import type { RandomBytes } from "../core/random.ts";
import { type Game, keyPrefixes } from "./games.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const blocks = 3;
const charactersPerBlock = 5;

/** A byte at or above this would favour the first letters of the alphabet, so it is drawn again (no modulo bias). */
const unbiasedByteMax = 256 - (256 % alphabet.length);

/** PREFIX-XXXXX-XXXXX-XXXXX, each X an uppercase letter or a digit (rules.md: Key text). */
export function randomKeyString(game: Game, randomBytes: RandomBytes): string {
  const letters = randomLetters(blocks * charactersPerBlock, randomBytes);
  const parts = Array.from({ length: blocks }, (_, block) =>
    letters.slice(block * charactersPerBlock, (block + 1) * charactersPerBlock),
  );
  return [keyPrefixes[game], ...parts].join("-");
}

function randomLetters(count: number, randomBytes: RandomBytes): string {
  let letters = "";
  const bytes = new Uint8Array(count * 2);
  while (letters.length < count) {
    for (const byte of randomBytes(bytes)) {
      if (byte < unbiasedByteMax && letters.length < count) letters += alphabet[byte % alphabet.length];
    }
  }
  return letters;
}
