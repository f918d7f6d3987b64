import { expect, test } from "bun:test";
import { rowsAsCsv } from "./download.ts";

test("a CSV file has a heading and a line for each row", () => {
  expect(rowsAsCsv([{ Key: "A-1", Days: 30 }])).toBe("\uFEFFKey,Days\r\nA-1,30\r\n");
});

test("no text of a CSV file can run as a formula", () => {
  const csv = rowsAsCsv(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"].map((Key) => ({ Key })));
  for (const cell of ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t'=1", "'\r'=1"]) expect(csv).toContain(`"${cell}"`);
  expect(rowsAsCsv([{ Credits: -1 }])).toContain("\r\n-1\r\n");
});

test("quotes are doubled, and commas and line breaks stay inside their cell", () => {
  expect(rowsAsCsv([{ Note: 'say "hi", twice\n' }])).toContain('"say ""hi"", twice\n"');
});
