import { inSmallLetters, type Sql } from "../../db/contract.ts";
import { foldedText, lookAlikeText } from "./folded-text.ts";
import { keyTextsAfter, lastKeyEventId, notesSince } from "./search-store.ts";
import { createTextPile, type TextPile } from "./text-pile.ts";

/** Rows taken in at once, in some 20 ms. The thread that searches has other things to do in between: whoever opens a page waits for a slice. */
export const rowsAtOnce = 4_000;

/** Notes that were changed stay beside what they are now. Past so many, notes are read where they stand. */
const notesMax = 1_000_000;

export interface KeyTextsInMemory {
  /** Folded (folded-text.ts). */
  texts: TextPile;
  /** In small letters, as `inSmallLetters` makes them, and those that have been changed too: what is found has to be looked at. */
  notes: TextPile;
  notesAreWhole: boolean;
}

/** The texts and notes of all keys, in the memory of the thread that searches (docs/decisions/search-in-memory.md). */
export interface KnownKeyTexts extends Readonly<KeyTextsInMemory> {
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
export async function allKeyTexts(sql: Sql, memory: object | null): Promise<KeyTextsInMemory | null> {
  if (memory === null) return null;
  const known = keyTextsKnownBy(memory);
  return (await known.takeIn(sql)) ? null : known;
}

function createKnownKeyTexts(): KnownKeyTexts {
  const lookAlikes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const letter of "oilsb") lookAlikes[letter.charCodeAt(0)] = lookAlikeText(letter).charCodeAt(0);
  const texts = createTextPile(lookAlikes);
  const notes = createTextPile();
  let lastId = 0;
  /** Unknown before the first key is taken in. */
  let lastEventId: number | null = null;

  return {
    texts,
    notes,
    get notesAreWhole() {
      return notes.size <= notesMax;
    },
    async takeIn(sql) {
      lastEventId ??= await lastKeyEventId(sql);
      const keys = await keyTextsAfter(sql, lastId, rowsAtOnce);
      for (const { id, owner, text, note } of keys) {
        // Two that ask at once may read the same.
        if (id <= lastId) continue;
        texts.add(id, owner, foldedText(text));
        if (note !== null) addNote(id, owner, note);
        lastId = id;
      }
      return keys.length === rowsAtOnce || (await takeInNotes(sql, lastEventId));
    },
  };

  async function takeInNotes(sql: Sql, after: number): Promise<boolean> {
    const latest = await lastKeyEventId(sql);
    const noted = latest > after ? await notesSince(sql, after, rowsAtOnce) : [];
    for (const { id, owner, note } of noted) if (note !== null) addNote(id, owner, note);
    const isMore = noted.length === rowsAtOnce;
    lastEventId = isMore ? (noted.at(-1)?.eventId ?? latest) : Math.max(after, latest);
    return isMore;
  }

  function addNote(id: number, owner: number, note: string): void {
    if (notes.size <= notesMax) notes.add(id, owner, inSmallLetters(note));
  }
}
