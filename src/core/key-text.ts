import { drawn, type RandomBytes } from "./random.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const blocks = 3;
const charactersPerBlock = 5;

/** PREFIX-XXXXX-XXXXX-XXXXX, each X an uppercase letter or a digit (rules.md: Key text). A game may have no prefix. */
export function randomKeyString(prefix: string, randomBytes: RandomBytes): string {
  const letters = randomLetters(blocks * charactersPerBlock, randomBytes);
  const parts = Array.from({ length: blocks }, (_, block) =>
    letters.slice(block * charactersPerBlock, (block + 1) * charactersPerBlock),
  );
  return [...(prefix === "" ? [] : [prefix]), ...parts].join("-");
}

/** rules.md: Audit entries. A long text stays unguessable when its end is known; of a short one less is shown. */
const longCharactersMin = 12;
const endCharacters = 5;
const shortEndCharacters = 2;

/** What the audit log and webhooks have of a key's text. */
export function keyEnd(keyText: string): string {
  return keyText.slice(-(keyText.length < longCharactersMin ? shortEndCharacters : endCharacters));
}

/** How the audit log names a key, never by its whole text: `key 123 …9VJW5`. */
export function keyTarget({ id, keyString }: { id: number; keyString: string }): string {
  return `key ${id} …${keyEnd(keyString)}`;
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

/** Uppercase letters and digits. */
export function randomLetters(count: number, randomBytes: RandomBytes): string {
  return drawn(randomBytes, alphabet, count);
}

/* Key texts as people send them (rules.md: Key text). */

/** Of the normal form, in characters. */
export const keyCharactersMax = 128;
/** Of a text as it is sent. Invisible characters between the others do not count for its key. */
export const sentCharactersMax = 512;

const plainText = /^[!-~]*$/;
const spacesAndInvisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;

/** Texts that people would call the same key have the same normal form, by which the database finds a key. */
export function normalKeyText(text: string): string {
  // Nearly all texts are ASCII without spaces, in which only the case can vary.
  return plainText.test(text) ? text.toLowerCase() : withPlainI(withPlainCharacters(text).toLowerCase());
}

/** The same for texts in which case matters. */
export function normalCasedText(text: string): string {
  return withPlainI(withPlainCharacters(text));
}

/** The normal form without its dashes: for searches, and for codes in which dashes do not count. */
export function foldedKeyText(text: string): string {
  return normalKeyText(text).replaceAll("-", "");
}

function withPlainCharacters(text: string): string {
  return text
    .replace(spacesAndInvisible, "")
    .normalize("NFKC")
    .replace(spacesAndInvisible, "")
    .replace(/\p{Dash}/gu, "-")
    .replace(/[^\P{Nd}0-9]/gu, latinDigit);
}

/** A Turkish keyboard has `ı` and `İ` beside or in place of `i` and `I`. */
function withPlainI(text: string): string {
  return text.replaceAll("ı", "i").replace(/(?<=i)\u0307+/g, "");
}

/**
 * The digits of each script are consecutive, starting with its zero, also where the digits of two scripts are adjacent.
 */
function latinDigit(digit: string): string {
  let zero = digit.codePointAt(0) as number;
  const code = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** A custom key may be pasted with invisible characters, which it loses before its rules apply. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}
