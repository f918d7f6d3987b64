import type { Sql } from "../database/database.ts";
import { nonBlank } from "../field.ts";
import { countKeys, hasKeyWith, isNarrowed, type KeyFilter } from "./list-store.ts";
import type { KeyListQuery } from "./schema.ts";

/**
 * What somebody who narrows an owner's keys means, and how many keys fit it. Where no key of the owner has the text that is searched for,
 * whatever the other filters, look-alikes are meant. `close` says whether they are, for whoever goes on with what was asked before.
 */
export async function matching(
  sql: Sql,
  owner: KeyFilter["owner"],
  { search, game, status }: Pick<KeyListQuery, "search" | "game" | "status">,
  { at, close }: { at: number; close: boolean | undefined },
): Promise<{ filter: KeyFilter; matchCount: number }> {
  const text = nonBlank(search);
  const filter: KeyFilter = {
    owner,
    search: text === undefined ? undefined : { text, close: close ?? false },
    game: game === "all" ? undefined : game,
    status: status === "all" ? undefined : status,
    at,
  };
  const matchCount = await countKeys(sql, filter);
  const isFound = text === undefined || matchCount > 0 || close !== undefined;
  if (isFound || (isNarrowed(filter) && (await hasKeyWith(sql, owner, text)))) return { filter, matchCount };
  const alike = { ...filter, search: { text, close: true } };
  return { filter: alike, matchCount: await countKeys(sql, alike) };
}
