/** One character can become 18, and PostgreSQL indexes at most 2,704 bytes of a row. */
const charactersMax = 512;

const plainText = /^[ -~]*$/;
const unseen = /[\p{Join_Control}\p{Variation_Selector}]/gu;

/**
 * The form in which searches, and names that must be unique, are compared: without joiners and selectors, and ignoring
 * case in any script. Stores keep it in a second column.
 */
export function foldedText(text: string): string {
  return (plainText.test(text) ? text.toLowerCase() : foldedSigns(text)).slice(0, charactersMax);
}

/** Upper case first unites letters such as ß and SS, ı and I; at a word's end, Σ becomes ς. */
function foldedSigns(text: string): string {
  const seen = text.replace(unseen, "").normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return seen
    .replaceAll("ς", "σ")
    .replace(/(?<=i)\u0307/g, "")
    .normalize("NFKC");
}

/** A foreign text as one line for a terminal or a log, without control and most invisible characters, and bounded. */
export function printable(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, " ").replace(/[^\P{Cf}\u200c\u200d]|\p{Cs}/gu, "");
  return line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line;
}

/**
 * An http or https address without a name and password. Checked when it is stored and again when it is rendered,
 * because `javascript:` is a URL too.
 */
export function isWebAddress(text: string): boolean {
  // URL.parse also accepts `https:host` and drops tabs and line breaks, but the stored text must be the checked one.
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}

/**
 * A figure with at most two decimals and separated thousands: `1,250.5`. Intl would do it too, but its first use takes
 * 4 ms of a start, and on a slow phone 80 ms in which the first rows of a list wait.
 */
export function withThousandsSeparators(figure: number | string): string {
  return String(figure).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** The beginning of a file that makes Excel read it as UTF-8. */
export const byteOrderMark = "\uFEFF";

type Cell = string | number;

/** One line of a CSV file (RFC 4180) for people, who open it in a spreadsheet. */
export function csvLine(cells: readonly Cell[]): string {
  return exactCsvLine(cells.map((cell) => (typeof cell === "string" ? cell.replace(cellBeginning, "'") : cell)));
}

/** The same for programs, which read each text as it is. */
export function exactCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins like a formula, and if it expects semicolons or tabs, a part of a text becomes
 * a cell. An apostrophe at each such beginning makes it a text. A beginning that already has one gets another, so
 * removing one restores every text.
 */
const cellBeginning = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r'])/g;

function csvCell(value: Cell): string {
  const text = String(value);
  return /["',;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
