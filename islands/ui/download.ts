import { byteOrderMark, csvLine } from "../../src/core/text.ts";

/** The names of the first row's fields become the headings. */
export function rowsAsCsv(rows: readonly Record<string, string | number>[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const lines = [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ""))];
  return byteOrderMark + lines.map(csvLine).join("");
}

/** Saves the text as a file. */
export function saveAs(fileName: string, content: string | Blob, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // Safari starts the download after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
