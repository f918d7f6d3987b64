import type { RandomBytes } from "./random.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const blocks = 3;
const charactersPerBlock = 5;

/** A byte at or above this would favour the first letters of the alphabet, so it is drawn again (no modulo bias). */
const unbiasedByteMax = 256 - (256 % alphabet.length);

/** PREFIX-XXXXX-XXXXX-XXXXX, each X an uppercase letter or a digit (rules.md: Key text). A game may have no prefix. */
export function randomKeyString(prefix: string, randomBytes: RandomBytes): string {
  const letters = randomLetters(blocks * charactersPerBlock, randomBytes);
  const parts = Array.from({ length: blocks }, (_, block) =>
    letters.slice(block * charactersPerBlock, (block + 1) * charactersPerBlock),
  );
  return [...(prefix === "" ? [] : [prefix]), ...parts].join("-");
}

const generatedShape = /^([a-z0-9]{1,8}-)?[a-z0-9]{5}(-[a-z0-9]{5}){2}$/i;

/**
 * Whether the text has the form of a generated key, with any prefix. There are too many such texts to guess one that is
 * a key.
 */
export function hasGeneratedShape(keyText: string): boolean {
  return generatedShape.test(keyText);
}

/** An unguessable custom key has at least this many characters, and this many apart from its words. */
const unguessableCharactersMin = 12;
const otherCharactersMin = 8;
const words = /[a-z]{3,}/gi;

/** Whether the forms warn of a custom key: it is short, or consists of words and few other characters. */
export function isGuessable(keyText: string): boolean {
  if (hasGeneratedShape(keyText)) return false;
  const otherCharacters = keyText.replace(words, "").replace(/[-_]/g, "");
  return keyText.length < unguessableCharactersMin || otherCharacters.length < otherCharactersMin;
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
