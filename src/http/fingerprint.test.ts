import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFingerprint, factorsCount } from "./fingerprint.ts";

const factors = crypto.getRandomValues(new Int32Array(factorsCount));

test("texts have the same fingerprint whatever was asked about before them", () => {
  const text = fc.constantFrom("", "a", "ab", "abc", "abd", "\u2603", "x".repeat(400));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (asked) => {
      const fingerprint = createFingerprint(factors);
      for (const [one, other] of asked) {
        const alone = createFingerprint(factors);
        expect(fingerprint.take(one, other)).toBe(alone.take(one, other));
        const { first, second, third } = alone;
        if (one.length + other.length < 400) expect(fingerprint).toMatchObject({ first, second, third });
      }
    }),
  );
});
