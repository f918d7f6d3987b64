import { expect, test } from "bun:test";
import { tenthsOf } from "../core/credits.ts";
import { creditsShort, creditsShortSentence, keysTo, toRaiseLimit } from "./cost.ts";

test("missing credits are counted in tenths, and are 0 if the balance suffices", () => {
  expect(creditsShort({ costTenths: 15, balanceTenths: 14 })).toBe(0.1);
  expect(creditsShort({ costTenths: 15, balanceTenths: 15 })).toBe(0);
  expect(creditsShort({ costTenths: 6_000, balanceTenths: 0 })).toBe(600);
});

test("the message shows one decimal and thousands separators", () => {
  expect(creditsShortSentence(3, keysTo("generate", 2))).toBe("You need 3.0 more credits to generate 2 key(s).");
  expect(creditsShortSentence(6_000, keysTo("extend", 1_000))).toBe(
    "You need 6,000.0 more credits to extend 1,000 key(s).",
  );
  expect(creditsShortSentence(0.5, toRaiseLimit)).toBe("You need 0.5 more credits to raise the device limit.");
});

test("credits become tenths without the error of binary fractions, and nothing finer passes", () => {
  expect([0.1, 0.3, 1.1, 2.5, 1_000_000].map(tenthsOf)).toEqual([1, 3, 11, 25, 10_000_000]);
  expect([0.05, 0.25, 1e-3, 0.10000001].map(tenthsOf)).toEqual([null, null, null, null]);
  const everyTenth = Array.from({ length: 200_000 }, (_, tenths) => tenths);
  expect(
    everyTenth.filter((tenths) => tenthsOf(Number(`${Math.floor(tenths / 10)}.${tenths % 10}`)) !== tenths),
  ).toEqual([]);
});
