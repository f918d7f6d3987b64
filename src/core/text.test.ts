import { expect, test } from "bun:test";
import { foldedText } from "./text.ts";

test("a folded text has no case in any script, no full-width letters, and keeps its spaces", () => {
  expect(foldedText("Für MÜLLER Ёж ＡＢ１")).toBe("für müller ёж ab1");
});

test("a folded text fits into an index, however many characters one becomes", () => {
  expect(foldedText("\ufdfa".repeat(200))).toHaveLength(512);
});
