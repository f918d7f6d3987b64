import { creditsOf } from "../core/credits.ts";
import type { RandomBytes } from "../core/random.ts";
import { withThousandsSeparators } from "../core/text.ts";

/** The three games (rules.md: Games), and the prefix of each game's generated keys. The schema is in keys/schema.ts. */
export const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"] as const;
export type Game = (typeof games)[number];

export const keyPrefixes: Record<Game, string> = {
  "PUBG MOBILE": "PBGM",
  "LAST ISLAND OF SURVIVAL": "LIOS",
  "FREE FIRE": "FIRE",
};

/** What a reseller pays per key, in tenths of a credit, by the key's days (rules.md: Prices). */
export const dayTiers = [
  { days: 5, priceTenths: 5 },
  { days: 10, priceTenths: 10 },
  { days: 20, priceTenths: 20 },
  { days: 30, priceTenths: 30 },
  { days: 60, priceTenths: 60 },
] as const;

/** The tier that a new form has selected. */
export const daysDefault = 30;

/** The price of one key in tenths of a credit, or null if there is no such tier. */
export function priceTenthsPerKey(days: number): number | null {
  return dayTiers.find((tier) => tier.days === days)?.priceTenths ?? null;
}

/**
 * How many credits are missing to buy `count` keys of `days`: 0 if the balance is enough, null for an unknown tier. The
 * form shows the same figure with which the server refuses.
 */
export function creditsShort({
  days,
  count,
  balanceTenths,
}: {
  days: number;
  count: number;
  balanceTenths: number;
}): number | null {
  const price = priceTenthsPerKey(days);
  return price === null ? null : creditsOf(Math.max(0, price * count - balanceTenths));
}

/**
 * 'You need X more credits to generate N key(s).' (rules.md: Dates and figures): X has one decimal, and both figures
 * have their thousands apart.
 */
export function creditsShortSentence(missingCredits: number, count: number): string {
  const missing = withThousandsSeparators(missingCredits.toFixed(1));
  return `You need ${missing} more credits to generate ${withThousandsSeparators(count)} key(s).`;
}

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
