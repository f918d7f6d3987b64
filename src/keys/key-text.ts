/* How a search reads the text of a key (rules.md: Searching keys). The stores keep both forms beside the text. */

const lookAlikes: Record<string, string> = { o: "0", i: "1", l: "1", s: "5", b: "8" };
const spacesAndInvisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;

/** As people send it: without spaces, invisible characters, dashes and case, and with the digits 0 to 9 for those of other scripts. */
export function foldedKeyText(text: string): string {
  return text
    .replace(spacesAndInvisible, "")
    .normalize("NFKC")
    .replace(spacesAndInvisible, "")
    .replace(/\p{Dash}/gu, "")
    .replace(/[^\P{Nd}0-9]/gu, latinDigit)
    .toLowerCase()
    .replace(/ı|i\u0307/g, "i");
}

/** The digits of a script follow each other from its zero, and so do the digits of scripts that are neighbours. */
function latinDigit(digit: string): string {
  let zero = digit.codePointAt(0) as number;
  const code = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** As people copy it off a picture: letters that look like digits become those digits. */
export function lookAlikeText(folded: string): string {
  return folded.replace(/[oilsb]/g, (letter) => lookAlikes[letter] as string);
}
