import { describe, expect, test } from "bun:test";
import { games } from "./games.ts";
import { randomKeyString } from "./key-string.ts";

const systemBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

describe("a generated key", () => {
  test.each([
    ["PUBG MOBILE", /^PBGM(-[A-Z0-9]{5}){3}$/],
    ["LAST ISLAND OF SURVIVAL", /^LIOS(-[A-Z0-9]{5}){3}$/],
    ["FREE FIRE", /^FIRE(-[A-Z0-9]{5}){3}$/],
  ] as const)("for %s has its prefix and three blocks of five", (game, form) => {
    for (let count = 0; count < 50; count += 1) expect(randomKeyString(game, systemBytes)).toMatch(form);
  });

  test("prefers no letter: a byte that would is drawn again", () => {
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
