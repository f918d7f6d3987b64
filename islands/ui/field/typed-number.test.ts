import { expect, test } from "bun:test";
import fc from "fast-check";
import { creditsOf } from "../../../src/core/credits.ts";
import { readNumber } from "./field.tsx";

const wholeNumber = fc.nat({ max: 1_000_000_000 });
const grouped = (whole: number, separator: string) => String(whole).replace(/\B(?=(\d{3})+$)/g, separator);

test("a decimal comma and a decimal point mean the same", () => {
  fc.assert(
    fc.property(wholeNumber, fc.nat({ max: 9 }), (whole, tenths) => {
      const number = creditsOf(whole * 10 + tenths);
      expect(readNumber(`${whole},${tenths}`)).toBe(number);
      expect(readNumber(` ${whole}.${tenths}0 `)).toBe(number);
    }),
  );
  expect([readNumber("37,5"), readNumber(",5"), readNumber("-1.5")]).toEqual([37.5, 0.5, -1.5]);
});

test("thousands may be apart, with decimals after another sign", () => {
  fc.assert(
    fc.property(wholeNumber, fc.constantFrom(" ", "\u00a0", "\u202f", "'", "\u2019"), (whole, separator) => {
      expect(readNumber(grouped(whole, separator))).toBe(whole);
      expect(readNumber(`${grouped(whole, separator)},5`)).toBe(whole + 0.5);
      expect(readNumber(`${grouped(whole, ",")}.5`)).toBe(whole + 0.5);
      expect(readNumber(`${grouped(whole, ".")},5`)).toBe(whole + 0.5);
    }),
  );
  expect([readNumber("1,000,000"), readNumber("1.000.000")]).toEqual([1_000_000, 1_000_000]);
});

test("one point or comma before three digits is refused, because it could mean a thousand or one", () => {
  fc.assert(
    fc.property(wholeNumber, fc.nat({ max: 999 }), fc.constantFrom(".", ","), (whole, rest, separator) => {
      expect(readNumber(`${whole}${separator}${String(rest).padStart(3, "0")}`)).toBeNaN();
    }),
  );
  expect([readNumber("1.000"), readNumber("2,500"), readNumber("0.125")]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test("no digit is dropped, moved or invented: a text is read with all its digits, or refused", () => {
  const typed = fc.string({ unit: fc.constantFrom(..."0123456789", ..."00.,,' -+ex"), maxLength: 9 });
  fc.assert(
    fc.property(typed, (text) => {
      const number = readNumber(text);
      if (Number.isNaN(number)) return;
      const [, whole = "", decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
      const [wholeRead, decimalsRead = ""] = String(Math.abs(number)).split(".");
      expect(wholeRead).toBe(whole.replace(/\D/g, "").replace(/^0+(?=.)/, "") || "0");
      expect(decimalsRead).toBe(decimals.replace(/0+$/, ""));
    }),
    { numRuns: 10_000 },
  );
});

test("other texts are refused", () => {
  for (const text of ["", "-", ".", "5.", "1e3", "0x10", "Infinity", "+5", "1.5.5", "1,00,000", "12 34", "5 credits"]) {
    expect(readNumber(text)).toBeNaN();
  }
});

test("Arabic and Persian digits are read", () => {
  expect([readNumber("٤٢"), readNumber("۴۲,۵")]).toEqual([42, 42.5]);
});
