import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTextPile, type TextPile } from "./text-pile.ts";

const same = Uint8Array.from({ length: 256 }, (_, byte) => byte);
same["o".charCodeAt(0)] = "0".charCodeAt(0);
const alikeText = (text: string) => text.replaceAll("o", "0");

interface Row {
  owner: number;
  text: string;
}

/** What is to be found, the latest first: texts with the very part in them, and others with what looks like it. */
function expected(rows: readonly Row[], part: string, owner: number | null) {
  const ids = (isMet: (text: string) => boolean) =>
    [...rows.entries()]
      .filter(([, row]) => (owner === null || row.owner === owner) && isMet(row.text))
      .map(([id]) => id)
      .reverse();
  const isExact = (text: string) => text.includes(part);
  return { ids: ids(isExact), alike: ids((text) => !isExact(text) && alikeText(text).includes(alikeText(part))) };
}

function pileOf(rows: readonly Row[]): TextPile {
  const pile = createTextPile(same);
  for (const [id, row] of rows.entries()) pile.add(id, row.owner, row.text);
  return pile;
}

test("any part of any text is found, the latest first, and nothing that reaches from one text into the next", () => {
  const unit = fc.constantFrom("a", "o", "0", "é");
  const row = fc.record({ owner: fc.integer({ min: 0, max: 1 }), text: fc.string({ unit, maxLength: 6 }) });
  const part = fc.string({ unit, minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 40 }),
      part,
      fc.constantFrom(null, 0, 1),
      fc.integer({ min: 1, max: 5 }),
      (rows, wanted, owner, most) => {
        const pile = pileOf(rows);
        const { ids, alike } = expected(rows, wanted, owner);
        expect(pile.find(wanted, owner, 100)).toEqual({ ids, alike });
        const found = pile.find(wanted, owner, most);
        expect(found.ids).toEqual(ids.slice(0, most));
        if (ids.length < most) expect(found.alike).toEqual(alike.slice(0, most));
        if (owner === null) return;
        expect(pile.count(wanted, owner, false)).toBe(ids.length);
        expect(pile.count(wanted, owner, true)).toBe(ids.length + alike.length);
      },
    ),
  );
});

test("of very many texts, in many chunks, those of whoever owns most and of whoever owns few are found alike", () => {
  const ownerOf = (id: number) => (id % 1_000 === 7 ? 2 : id % 2);
  const rows = Array.from({ length: 40_000 }, (_, id) => ({
    owner: ownerOf(id),
    text: `text-${String(id).padStart(5, id % 3 === 0 ? "o" : "0")}`,
  }));
  const pile = pileOf(rows);
  expect(pile.size).toBe(40_000);
  for (const part of ["-00003", "-39999", "999", "o0", "00", "-oo", "text-0", "none"]) {
    for (const owner of [null, 0, 1, 2, 3]) {
      const { ids, alike } = expected(rows, part, owner);
      expect([part, owner, pile.find(part, owner, rows.length)]).toEqual([part, owner, { ids, alike }]);
      expect(pile.find(part, owner, 3).ids).toEqual(ids.slice(0, 3));
      if (owner !== null) expect(pile.count(part, owner, true)).toBe(ids.length + alike.length);
    }
  }
});
