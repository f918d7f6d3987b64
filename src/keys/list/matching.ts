import { nonBlank } from "../../core/field.ts";
import type { Sql } from "../../db/contract.ts";
import { foldedKeyText } from "../key-text.ts";
import type { KeyListQuery } from "../schema.ts";
import { countKeys, type KeyFilter, type KeySearch, searchedFor } from "./list-store.ts";

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

/** What is meant, and how many keys fit it. */
export async function matching(
  sql: Sql,
  { owner, query: { search, game, status }, at, close }: Narrowed,
): Promise<Matching> {
  const text = nonBlank(search);
  const filter: KeyFilter = {
    owner,
    // Every key has in its text what has no letters.
    search: text === undefined || foldedKeyText(text) === "" ? undefined : await searchFor(sql, owner, text, close),
    game: game === "all" ? undefined : game,
    status: status === "all" ? undefined : status,
    at,
  };
  return { filter, matchCount: await countKeys(sql, filter) };
}

/** Where no key of the owner has the text that is searched for, whatever the other filters, look-alikes are meant. */
async function searchFor(
  sql: Sql,
  owner: KeyFilter["owner"],
  text: string,
  close: boolean | undefined,
): Promise<KeySearch> {
  const search = await searchedFor(sql, owner, { text, close: close ?? false });
  if (close !== undefined || search.ids?.length !== 0) return search;
  return searchedFor(sql, owner, { text, close: true });
}
