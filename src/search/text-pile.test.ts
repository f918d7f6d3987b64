import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTextPile } from "./text-pile.ts";

test("any part of any text is found, the latest first, and nothing that reaches from one text into the next", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 6 });
  const rows = fc.array(fc.record({ owner: fc.integer({ min: 0, max: 1 }), text }), { maxLength: 40 });
  const part = fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      rows,
      part,
      fc.constantFrom(null, 0, 1),
      fc.integer({ min: 1, max: 5 }),
      (texts, wanted, owner, most) => {
        const pile = createTextPile();
        for (const [id, row] of texts.entries()) pile.add(id, row.owner, row.text);
        const expected = [...texts.entries()]
          .filter(([, row]) => row.text.includes(wanted) && (owner === null || row.owner === owner))
          .map(([id]) => id)
          .reverse();
        expect(pile.withPart(wanted, owner, most)).toEqual(expected.slice(0, most));
      },
    ),
  );
});

test("texts beyond one chunk are found as well", () => {
  const pile = createTextPile();
  for (let id = 0; id < 40_000; id += 1) pile.add(id, 0, `text-${String(id).padStart(5, "0")}`);
  expect(pile.withPart("-00003", null, 5)).toEqual([3]);
  expect(pile.withPart("-39999", null, 5)).toEqual([39_999]);
  expect(pile.withPart("999", null, 3)).toEqual([39_999, 39_998, 39_997]);
  expect(pile.size).toBe(40_000);
});

test("bytes that count as the same are not told apart, in what is kept and in what is searched for", () => {
  const same = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  same["o".charCodeAt(0)] = "0".charCodeAt(0);
  const pile = createTextPile(same);
  pile.add(1, 0, "fo0d");
  expect([pile.withPart("00", null, 9), pile.withPart("oo", null, 9), pile.withPart("o0d", null, 9)]).toEqual([
    [1],
    [1],
    [1],
  ]);
});
