import { expect, test } from "bun:test";
import { foldedText } from "./text.ts";

test("folding removes case in any script and full-width letters, and keeps spaces", () => {
  expect(foldedText("Für MÜLLER Ёж ＡＢ１")).toBe("für müller ёж ab1");
});

test("a folded text fits into an index even if characters expand", () => {
  expect(foldedText("\ufdfa".repeat(200))).toHaveLength(512);
});
