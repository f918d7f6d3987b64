/** One character can become 18, and PostgreSQL indexes at most 2,704 bytes of a row. */
const charactersMax = 512;

/** How searches compare notes and device ids: without regard to case, in any script. Stores keep it beside the text. */
export function foldedText(text: string): string {
  return text.normalize("NFKC").toLowerCase().slice(0, charactersMax);
}

/** One line for a terminal or a log from a text that others wrote: without control and invisible characters, and bounded. */
export function printable(text: string, charactersMax: number): string {
  const line = text.replace(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, " ").replace(/[\p{Cf}\p{Cs}]/gu, "");
  return line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line;
}

/** An http or https address without a name and password in it. Checked when it is written and again where it is rendered: `javascript:` is a URL too. */
export function isWebAddress(text: string): boolean {
  // URL.parse also takes `https:host` and drops tabs and line breaks: what is stored has to be what was checked.
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}

/**
 * A figure of at most two decimals with its thousands apart: `1,250.5`. Not by Intl: its first use takes a start 4 ms, and a slow phone 80 while the
 * first rows of a list wait for it.
 */
export function thousandsApart(figure: number | string): string {
  return String(figure).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** What a file begins with so that Excel reads it as UTF-8. */
export const byteOrderMark = "\uFEFF";

/** One line of a file as in RFC 4180. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins like a formula. Where it expects semicolons or tabs, a part of a text becomes a cell. An apostrophe at each
 * such beginning makes it a text. A beginning that has one gets another, so taking one away restores every text.
 */
const cellBeginning = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r'])/g;

function csvCell(value: string | number): string {
  const text = typeof value === "string" ? value.replace(cellBeginning, "'") : String(value);
  return /["',;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
