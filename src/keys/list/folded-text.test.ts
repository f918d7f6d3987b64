import { expect, test } from "bun:test";
import { foldedText, lookAlikePattern, lookAlikeText } from "./folded-text.ts";

test("a folded text has no case, no dashes, long ones neither, and no spaces", () => {
  expect(foldedText(" PBGM-a1B2c – d3E4f\u00a0g5_H6 ")).toBe("pbgma1b2cd3e4fg5_h6");
});

test("letters that look like digits are those digits, and nothing else changes", () => {
  expect(lookAlikeText("oil-slab_%0158xyz")).toBe("011-51a8_%0158xyz");
});

test("a pattern lets through whatever looks like its text", () => {
  expect(lookAlikePattern("%p8g0x%")).toBe("%p_g_x%");
});
