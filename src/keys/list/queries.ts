import type { SnapshotQuery } from "../../db/contract.ts";
import type { Page } from "../../db/paging.ts";
import type { KeyRow } from "../model.ts";
import { countKeys, type KeyOrder, listKeys } from "./list-store.ts";
import { type Matching, matching, type Narrowed } from "./matching.ts";

/** Which keys are meant, and how many they are. */
export const matchingQuery: SnapshotQuery<Narrowed, Matching> = { name: "keys that match", run: matching };

export interface AskedKeyPage {
  narrowed: Narrowed;
  order: KeyOrder;
  page: Page<[string | number, number]>;
}

export interface KeyPage extends Matching {
  rows: KeyRow[];
}

/** A page of them. */
export const keyPageQuery: SnapshotQuery<AskedKeyPage, KeyPage> = {
  name: "page of keys",
  async run(sql, { narrowed, order, page }) {
    const { filter, matchCount } = await matching(sql, narrowed);
    const rows = matchCount === 0 ? [] : await listKeys(sql, filter, order, page, matchCount);
    return { filter, matchCount, rows };
  },
};

/** A page of them, and how many their owner has whatever the filters: of one instant, so that neither count denies the other or the rows. */
export const countedKeyPageQuery: SnapshotQuery<AskedKeyPage, KeyPage & { totalCount: number }> = {
  name: "page of keys, counted",
  async run(sql, given) {
    const page = await keyPageQuery.run(sql, given);
    const { owner, at } = page.filter;
    return { ...page, totalCount: await countKeys(sql, { owner, at }) };
  },
};
