/*
 * How a search reads the text of a key (rules.md: Searching keys). The store writes the same in SQL; a test holds the two against each
 * other.
 */

const lookAlikes: Record<string, string> = { o: "0", i: "1", l: "1", s: "5", b: "8" };

/** As somebody reads it out: without regard to case, dashes (a phone writes longer ones) and spaces. */
export function foldedText(text: string): string {
  return text.toLowerCase().replace(/[\p{Dash_Punctuation}\s]/gu, "");
}

/** As somebody copies it off a picture: a folded text in which letters that look like digits are those digits. */
export function lookAlikeText(folded: string): string {
  return folded.replace(/[oilsb]/g, (letter) => lookAlikes[letter] as string);
}

/** A pattern for LIKE in which whatever looks like something else may be anything: all look-alikes fit it, and little else does. */
export function lookAlikePattern(pattern: string): string {
  return pattern.replace(/[o0i1ls5b8]/g, "_");
}
