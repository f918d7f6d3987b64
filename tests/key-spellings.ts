import fc from "fast-check";
import { keyCharacters } from "../src/core/field.ts";

const marks = [
  "\u200e",
  "\u200f",
  "\u2066",
  "\u2069",
  "\u200b",
  "\ufeff",
  "\u00ad",
  "\ufe0f",
  "\n",
  " ",
  "\u00a0",
  "\u3000",
];
const dashes = ["-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\uff0d", "\u301c"];
const zeros = ["0", "\u0660", "\u06f0", "\u0966", "\uff10", "\u{1d7ce}"];

interface Spelling {
  key: string;
  /** The key as people send it. */
  sent: string;
  /** The same with each letter in its own case. */
  cased: string;
}

/** A custom key, and one of the ways in which people send it. */
export const keySpelling: fc.Arbitrary<Spelling> = fc
  .record({
    key: fc.stringMatching(new RegExp(`^[${keyCharacters}]{4,40}$`)),
    choices: fc.infiniteStream(fc.nat()),
  })
  .map(({ key, choices }) => {
    const chosen = (among: readonly string[]) => among[choices.next().value % among.length] as string;
    const mark = () => chosen(["", "", ...marks]);
    const cased = [...key].map((character) => mark() + chosen(charactersFor(character)) + mark()).join("");
    const sent = cased.replace(/[a-z]/gi, (letter) => chosen(casesOf(letter)));
    return { key, sent, cased };
  });

function charactersFor(character: string): string[] {
  if (character === "-") return dashes;
  if (/[0-9]/.test(character))
    return zeros.map((zero) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(character)));
  const fullWidth = String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0);
  return [character, character, fullWidth, ...(character === "i" ? ["\u0131"] : [])];
}

function casesOf(letter: string): string[] {
  const cases = [letter.toLowerCase(), letter.toUpperCase()];
  return letter.toLowerCase() === "i" ? [...cases, "\u0131", "\u0130", "i\u0307"] : cases;
}
