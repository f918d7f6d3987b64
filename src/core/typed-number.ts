/** A whole part with its thousands apart by one kind of separator, or without; then perhaps one or two decimals. */
const numberPattern = /^(-?)(\d{1,3}(?:([.,' ])\d{3})(?:\3\d{3})*|\d+|(?=[.,]))(?:([.,])(\d{1,2}))?$/;

/**
 * Reads a number as people type it, with a comma or a point before its decimals: 12.5, 12,5, 1.200,5, 1 200. Anything
 * else is NaN, and so is a number that could mean two: one point or comma before three digits, such as 1.000, which is
 * a thousand to some and one to others.
 */
export function readNumber(text: string): number {
  const [match, sign, whole = "", separator, mark, decimals] = numberPattern.exec(plain(text)) ?? [];
  const isAmbiguous = /^\d+[.,]\d+$/.test(whole) && mark === undefined;
  if (match === undefined || isAmbiguous || (mark && mark === separator)) return Number.NaN;
  return Number(`${sign}${whole.replace(/\D/g, "") || "0"}.${decimals ?? "0"}`);
}

/** Spaces of any width, apostrophes and Arabic digits as their ASCII forms. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/\s/g, " ")
    .replace(/\u2019/g, "'")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
