import { describe, expect, test } from "bun:test";
import { tenthsOf } from "../core/credits.ts";
import { creditsShort, creditsShortSentence, games, randomKeyString } from "./catalogue.ts";

const systemBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

describe("a generated key", () => {
  test.each([
    ["PUBG MOBILE", /^PBGM(-[A-Z0-9]{5}){3}$/],
    ["LAST ISLAND OF SURVIVAL", /^LIOS(-[A-Z0-9]{5}){3}$/],
    ["FREE FIRE", /^FIRE(-[A-Z0-9]{5}){3}$/],
  ] as const)("for %s has its prefix and three blocks of five", (game, form) => {
    for (let count = 0; count < 50; count += 1) expect(randomKeyString(game, systemBytes)).toMatch(form);
  });

  test("has uniformly distributed letters", () => {
    let next = 0;
    const everyByte = (bytes: Uint8Array<ArrayBuffer>) => {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = next++ % 256;
      return bytes;
    };
    const counts = new Map<string, number>();
    // 252 usable bytes of 256, in turn: 84 keys of 15 letters use each byte exactly 5 times.
    const letters = Array.from({ length: 84 }, () => randomKeyString(games[0], everyByte).replaceAll("-", "").slice(4));
    for (const letter of letters.join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(36);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(15);
  });
});

test("missing credits are counted in tenths, and are 0 if the balance suffices", () => {
  expect(creditsShort({ days: 5, count: 3, balanceTenths: 14 })).toBe(0.1);
  expect(creditsShort({ days: 5, count: 3, balanceTenths: 15 })).toBe(0);
  expect(creditsShort({ days: 60, count: 100, balanceTenths: 0 })).toBe(600);
  expect(creditsShort({ days: 7, count: 1, balanceTenths: 0 })).toBeNull();
});

test("the message shows one decimal and thousands separators", () => {
  expect(creditsShortSentence(3, 2)).toBe("You need 3.0 more credits to generate 2 key(s).");
  expect(creditsShortSentence(6_000, 1_000)).toBe("You need 6,000.0 more credits to generate 1,000 key(s).");
});

test("credits become tenths without the error of binary fractions, and nothing finer passes", () => {
  expect([0.1, 0.3, 1.1, 2.5, 1_000_000].map(tenthsOf)).toEqual([1, 3, 11, 25, 10_000_000]);
  expect([0.05, 0.25, 1e-3, 0.10000001].map(tenthsOf)).toEqual([null, null, null, null]);
  const everyTenth = Array.from({ length: 200_000 }, (_, tenths) => tenths);
  expect(
    everyTenth.filter((tenths) => tenthsOf(Number(`${Math.floor(tenths / 10)}.${tenths % 10}`)) !== tenths),
  ).toEqual([]);
});
