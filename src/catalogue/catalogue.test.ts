import { describe, expect, test } from "bun:test";
import { tenthsOf } from "../core/credits.ts";
import {
  creditsShort,
  creditsShortSentence,
  games,
  hasGeneratedShape,
  isGuessable,
  randomKeyString,
} from "./catalogue.ts";

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

test("a text has the shape of a generated key with any prefix of up to 8 letters or digits, or none", () => {
  const shaped = ["FIRE-7K2M9-QX4RT-B8W1Z", "a1b2c3d4-7k2m9-qx4rt-b8w1z", "7K2M9-QX4RT-B8W1Z"];
  const others = ["NIGHTOWL-2748", "A1B2C3D4E-7K2M9-QX4RT-B8W1Z", "FIRE-7K2M9-QX4RT", "-7K2M9-QX4RT-B8W1Z"];
  expect([...shaped, ...others].filter(hasGeneratedShape)).toEqual(shaped);
});

test("a custom key is guessable if it is short or consists of words and few other characters", () => {
  const guessable = ["AB12", "NIGHTOWL-2748", "SUMMER-SALE-2025", "A1B2C3D4E5F", "player_one_1234567"];
  const others = [...games.map((game) => randomKeyString(game, systemBytes)), "A1B2C3D4E5F6", "OWL-48213-90377"];
  expect([...guessable, ...others].filter(isGuessable)).toEqual(guessable);
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
