/** What a file begins with so that Excel reads it as UTF-8. */
export const byteOrderMark = "\uFEFF";

/** One line of a file as in RFC 4180. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A spreadsheet runs a text that begins like a formula; the apostrophe makes it a text again. */
function csvCell(value: string | number): string {
  const text = String(value);
  const harmless = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /["',\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
