import { nonBlank } from "../../core/field.ts";
import { inSmallLetters, type Sql } from "../../db/contract.ts";
import type { KeyListQuery } from "../schema.ts";
import { foldedText } from "./folded-text.ts";
import type { KeyTextsInMemory } from "./known-key-texts.ts";
import {
  countKeys,
  fewMatchesMax,
  hasKeyWith,
  isNarrowed,
  type KeyFilter,
  type KeySearch,
  notedBeside,
} from "./list-store.ts";

/** What somebody asks to see of an owner's keys. */
export interface Narrowed {
  owner: KeyFilter["owner"];
  query: Pick<KeyListQuery, "search" | "game" | "status">;
  /** The instant that statuses are judged by. */
  at: number;
  /** Whether look-alikes are meant, for whoever goes on with what was asked before. */
  close: boolean | undefined;
}

export interface Matching {
  filter: KeyFilter;
  matchCount: number;
}

/**
 * What is meant, and how many keys fit it. Where no key of the owner has the text that is searched for, whatever the other filters,
 * look-alikes are meant. `memory` has all that `sql` sees; without it the search reads the keys.
 */
export async function matching(
  sql: Sql,
  memory: KeyTextsInMemory | null,
  { owner, query: { search, game, status }, at, close }: Narrowed,
): Promise<Matching> {
  const text = nonBlank(search);
  // Every key has in its text what has no letters.
  const isSearch = text !== undefined && foldedText(text) !== "";
  const searchFor = isSearch ? searchOf(sql, memory, owner, text) : async () => undefined;
  const filter: KeyFilter = {
    owner,
    search: await searchFor(close ?? false),
    game: game === "all" ? undefined : game,
    status: status === "all" ? undefined : status,
    at,
  };
  const matchCount = await countKeys(sql, filter);
  if (filter.search === undefined || matchCount > 0 || close !== undefined) return { filter, matchCount };
  if (isNarrowed(filter) && (await hasKeyWith(sql, owner, filter.search))) return { filter, matchCount };
  const alike = { ...filter, search: await searchFor(true) };
  return { filter: alike, matchCount: await countKeys(sql, alike) };
}

/** The search for a text, or for what looks like it: one pass over the texts serves both. */
function searchOf(sql: Sql, memory: KeyTextsInMemory | null, owner: KeyFilter["owner"], text: string) {
  const part = foldedText(text);
  const ownerNumber = owner === "admins" ? 0 : owner.resellerId;
  const found = memory?.texts.find(part, ownerNumber, fewMatchesMax + 1);
  return async (close: boolean): Promise<KeySearch> => {
    if (!memory || !found) return { text, close };
    const ids = close ? [...found.ids, ...found.alike] : found.ids;
    const areFew = ids.length <= fewMatchesMax;
    const byText = {
      count: areFew ? ids.length : memory.texts.count(part, ownerNumber, close),
      ids: areFew ? ids : null,
    };
    return { text, close, known: close ? byText : both(byText, await notedBeside(sql, owner, text, mayBeNoted())) };
  };

  /** `null` where it is not known, or where they are very many. */
  function mayBeNoted(): number[] | null {
    if (!memory?.notesAreWhole) return null;
    const { ids } = memory.notes.find(inSmallLetters(text), ownerNumber, fewMatchesMax + 1);
    return ids.length > fewMatchesMax ? null : [...new Set(ids)];
  }
}

type Known = NonNullable<KeySearch["known"]>;

function both(a: Known, b: Known): Known {
  const ids = a.ids && b.ids && [...a.ids, ...b.ids];
  return { count: a.count + b.count, ids: ids && ids.length <= fewMatchesMax ? ids : null };
}
