import type { Sql } from "../database/database.ts";
import { foldedText, lookAlikeText } from "./folded-text.ts";
import { lastKeyId } from "./key-filter-store.ts";
import { keyTextsAfter } from "./search-store.ts";
import { createTextPile, type TextPile } from "./text-pile.ts";

/** Rows taken in at once, in some 20 ms. The thread that searches has other things to do in between: whoever opens a page waits for a slice. */
export const rowsAtOnce = 4_000;

/** The texts of all keys, folded (folded-text.ts), in the memory of the thread that searches (docs/decisions/search-in-memory.md). */
export interface KnownKeyTexts {
  readonly texts: TextPile;
  /** The newest key that is known. */
  readonly lastId: number;
  /** Takes in those that have come since, or a slice of them. Answers whether there may be more. */
  takeIn(sql: Sql): Promise<boolean>;
}

/** What is known of each database. */
const knownBy = new WeakMap<object, KnownKeyTexts>();

/** `memory` is that of a reading or a question. */
export function keyTextsKnownBy(memory: object): KnownKeyTexts {
  const known = knownBy.get(memory) ?? createKnownKeyTexts();
  knownBy.set(memory, known);
  return known;
}

/**
 * The texts of all keys that `sql` sees, for whoever asks where a memory is kept. `null` where there is none, or too many are still to be
 * taken in: a search does not wait for them, and reads the keys instead.
 */
export async function allKeyTexts(sql: Sql, memory: object | null): Promise<TextPile | null> {
  if (memory === null) return null;
  const known = keyTextsKnownBy(memory);
  if ((await lastKeyId(sql)) - known.lastId > rowsAtOnce) return null;
  while (await known.takeIn(sql));
  return known.texts;
}

function createKnownKeyTexts(): KnownKeyTexts {
  const lookAlikes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const letter of "oilsb") lookAlikes[letter.charCodeAt(0)] = lookAlikeText(letter).charCodeAt(0);
  const texts = createTextPile(lookAlikes);
  let lastId = 0;

  return {
    texts,
    get lastId() {
      return lastId;
    },
    async takeIn(sql) {
      const keys = await keyTextsAfter(sql, lastId, rowsAtOnce);
      for (const { id, owner, text } of keys) {
        // Two that ask at once may read the same.
        if (id <= lastId) continue;
        texts.add(id, owner, foldedText(text));
        lastId = id;
      }
      return keys.length === rowsAtOnce;
    },
  };
}
