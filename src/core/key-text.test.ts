import { describe, expect, test } from "bun:test";
import { hasGeneratedShape, isGuessable, randomKeyString } from "./key-text.ts";

const systemBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

describe("a generated key", () => {
  test.each([
    ["PBGM", /^PBGM(-[A-Z0-9]{5}){3}$/],
    ["", /^[A-Z0-9]{5}(-[A-Z0-9]{5}){2}$/],
  ] as const)("with the prefix %p has it and three blocks of five", (prefix, form) => {
    for (let count = 0; count < 50; count += 1) expect(randomKeyString(prefix, systemBytes)).toMatch(form);
  });

  test("has uniformly distributed letters", () => {
    let next = 0;
    const everyByte = (bytes: Uint8Array<ArrayBuffer>) => {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = next++ % 256;
      return bytes;
    };
    const counts = new Map<string, number>();
    // 252 usable bytes of 256, in turn: 84 keys of 15 letters use each byte exactly 5 times.
    const letters = Array.from({ length: 84 }, () => randomKeyString("", everyByte).replaceAll("-", ""));
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
  const others = [
    randomKeyString("FIRE", systemBytes),
    randomKeyString("", systemBytes),
    "A1B2C3D4E5F6",
    "OWL-48213-90377",
  ];
  expect([...guessable, ...others].filter(isGuessable)).toEqual(guessable);
});
