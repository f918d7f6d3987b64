import { expect, test } from "bun:test";
import { foldedKeyText, lookAlikeText } from "./model.ts";

test.each([
  [" PBGM-a1B2c – d3E4f\u00a0g5_H6 ", "pbgma1b2cd3e4fg5_h6"],
  ["ＰＢＧＭ－１２\u200b３", "pbgm123"],
  ["FIRE-٠١٩-०९-𝟡", "fire019099"],
  ["FİRE-ıI", "fireii"],
])("%p is searched for as %p", (text, folded) => {
  expect(foldedKeyText(text)).toBe(folded);
});

test("only letters that look like digits become those digits", () => {
  expect(lookAlikeText("oil-slab_%0158xyz")).toBe("011-51a8_%0158xyz");
});
