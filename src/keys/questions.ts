import type { Question, Sql } from "../database/database.ts";
import type { Page } from "../database/paging.ts";
import { allKeyTexts } from "./known-key-texts.ts";
import { type KeyOrder, listKeys } from "./list-store.ts";
import { type Matching, matching, type Narrowed } from "./matching.ts";
import type { KeyRow } from "./store.ts";

/** Which keys are meant, and how many they are. */
export const matchingQuestion: Question<Narrowed, Matching> = { name: "keys that match", answer: match };

interface AskedPage {
  narrowed: Narrowed;
  order: KeyOrder;
  page: Page<[string | number, number]>;
}

/** A page of them. */
export const keyPageQuestion: Question<AskedPage, Matching & { rows: KeyRow[] }> = {
  name: "page of keys",
  async answer(sql, { narrowed, order, page }, memory) {
    const { filter, matchCount } = await match(sql, narrowed, memory);
    const rows = matchCount === 0 ? [] : await listKeys(sql, filter, order, page, matchCount);
    return { filter, matchCount, rows };
  },
};

async function match(sql: Sql, narrowed: Narrowed, memory: object | null): Promise<Matching> {
  const known = narrowed.query.search ? await allKeyTexts(sql, memory) : null;
  return matching(sql, known, narrowed);
}
