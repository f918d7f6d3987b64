import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keySpelling } from "../../tests/key-spellings.ts";
import { keyCharacters } from "./field.ts";
import {
  foldedKeyText,
  hasGeneratedShape,
  isGuessable,
  normalCasedText,
  normalKeyText,
  randomKeyString,
} from "./key-text.ts";

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

describe("the normal form", () => {
  test.each([
    ["in upper case, with spaces around it", "  FIRE-7K2M9-QX4RT-B8W1Z\n", "fire-7k2m9-qx4rt-b8w1z"],
    ["with the invisible marks of a right-to-left chat", "\u2067\u200fFIRE-7K2M9\u200e-QX\u2069", "fire-7k2m9-qx"],
    ["with those of a mail", "\ufeffFIRE\u00ad-7K2\u200bM9\u2060", "fire-7k2m9"],
    ["with dashes of a phone", "FIRE\u20137K2M9\u2014QX4RT\u2011B8W1Z\u2212A", "fire-7k2m9-qx4rt-b8w1z-a"],
    ["with a line break inside", "FIRE-7K2M9-\r\n  QX4RT", "fire-7k2m9-qx4rt"],
    ["in full-width letters", "\uff26\uff29\uff32\uff25\uff0d\uff17\u3000\uff2b_", "fire-7k_"],
    ["of a Turkish keyboard", "f\u0131re-F\u0130RE-fi\u0307", "fire-fire-fi"],
    ["in digits of other scripts", "FIRE-\u0660\u0661\u0669-\u0966\u096f-\u{1d7e1}", "fire-019-09-9"],
    ["that NFKC turns into white space", "FIRE\u00b4-1\uffe3", "fire\u0301-1\u0304"],
    ["in other letters", "\u041a\u041b\u042e\u0427-\u00c9E\u0301", "\u043a\u043b\u044e\u0447-\u00e9\u00e9"],
  ])("of a key %s", (_, sent, normal) => {
    expect(normalKeyText(sent)).toBe(normal);
    expect(foldedKeyText(sent)).toBe(normal.replaceAll("-", ""));
  });

  test("of a key of the characters that custom keys have is the text in lower case", () => {
    const text = fc.stringMatching(new RegExp(`^[${keyCharacters}]{1,64}$`));
    fc.assert(fc.property(text, (key) => expect(normalKeyText(key)).toBe(key.toLowerCase())));
  });

  test("does not depend on how such a key is spelled, and keeps the case where it matters", () => {
    fc.assert(fc.property(keySpelling, ({ key, sent }) => expect(normalKeyText(sent)).toBe(key.toLowerCase())));
    fc.assert(fc.property(keySpelling, ({ key, cased }) => expect(normalCasedText(cased)).toBe(key)));
  });
});
