import type { Question } from "../../db/contract.ts";
import type { Page } from "../../db/paging.ts";
import type { KeyRow } from "../model.ts";
import { countKeys, type KeyOrder, listKeys } from "./list-store.ts";
import { type Matching, matching, type Narrowed } from "./matching.ts";

/** Which keys are meant, and how many they are. */
export const matchingQuestion: Question<Narrowed, Matching> = { name: "keys that match", answer: matching };

export interface AskedKeyPage {
  narrowed: Narrowed;
  order: KeyOrder;
  page: Page<[string | number, number]>;
}

export interface KeyPage extends Matching {
  rows: KeyRow[];
}

/** A page of them. */
export const keyPageQuestion: Question<AskedKeyPage, KeyPage> = {
  name: "page of keys",
  async answer(sql, { narrowed, order, page }) {
    const { filter, matchCount } = await matching(sql, narrowed);
    const rows = matchCount === 0 ? [] : await listKeys(sql, filter, order, page, matchCount);
    return { filter, matchCount, rows };
  },
};

/** A page of them, and how many their owner has whatever the filters: of one instant, so that neither count denies the other or the rows. */
export const countedKeyPageQuestion: Question<AskedKeyPage, KeyPage & { totalCount: number }> = {
  name: "page of keys, counted",
  async answer(sql, given) {
    const page = await keyPageQuestion.answer(sql, given, null);
    const { owner, at } = page.filter;
    return { ...page, totalCount: await countKeys(sql, { owner, at }) };
  },
};
