import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine, foldedText } from "./text.ts";

test("folding removes case in any script and full-width letters, and keeps spaces", () => {
  expect(foldedText("Für MÜLLER Ёж ＡＢ１")).toBe("für müller ёж ab1");
});

test.each([
  ["ΟΔΟΣ", "οδος"],
  ["STRASSE ẞ", "straße ss"],
  ["KIRMIZI İSTANBUL", "kırmızı istanbul"],
  ["ılık i\u0307", "ILIK İ"],
  ["paid ❤️ می‌خواهم", "PAID ❤ میخواهم"],
  ["👩‍👩‍👧", "👩👩👧"],
  ["ᏣᎳᎩ ᲡᲐᲥ", "ꮳꮃꭹ საქ"],
])("%s and %s are the same when folded", (one, other) => {
  expect(foldedText(one)).toBe(foldedText(other));
});

test("a part of a word in another case is a part of its folded form", () => {
  expect(foldedText("οδοσήμανση")).toContain(foldedText("ΟΔΟΣ"));
});

test("a folded text fits into an index even if characters expand", () => {
  expect(foldedText("\ufdfa".repeat(200))).toHaveLength(512);
});

/**
 * The cells of one line as a spreadsheet reads it: a cell that begins with a quotation mark goes to the closing one.
 */
function cellsOf(line: string, separator: string): string[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|$)`, "gy");
  return [...line.matchAll(cell)].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}

const anyText = fc.string({ unit: fc.constantFrom(..."=+-@＝＋－＠';,\t\r\n\"a1 ") });

test("no cell begins like a formula, whichever separator a spreadsheet expects", () => {
  for (const note of ["=1+2", "hello;=1+2;bye", "a\t@b", "-1\n+2", '";=1"', "＝1;＋2", "－1\t＠2"]) {
    for (const separator of [",", ";", "\t"]) {
      for (const cell of cellsOf(csvLine([7, note, "end"]), separator)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
    }
  }
});

test("a text can be restored from its cell, and a key that begins with a dash, too", () => {
  const restored = (cell: string) => cell.replace(/(?<=^|[;\t\r\n])'(?=[=+\-@＝＋－＠\t\r'])/g, "");
  fc.assert(
    fc.property(anyText, (text) => {
      expect(restored(cellsOf(csvLine([text, "end"]), ",")[0] ?? "")).toBe(text);
    }),
  );
  expect(csvLine(["-SUMMER-2025"])).toBe('"\'-SUMMER-2025"\r\n');
});
