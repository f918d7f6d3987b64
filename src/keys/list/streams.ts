import type { Sql, StreamQuery } from "../../db/contract.ts";
import { wholeList } from "../../db/paging.ts";
import { adminKeyView, type KeyRow, resellerKeyView } from "../model.ts";
import { countKeys, type KeyFilter, type KeyOrder, listKeys, sortValueOf } from "./list-store.ts";

/** A whole list of keys, from `after` on. `matchCount` says how many fit the filter (list-store.ts). */
interface WholeKeys {
  filter: KeyFilter;
  order: KeyOrder;
  after: [string | number, number] | null;
  matchCount: number;
}

export const adminKeysStream: StreamQuery<WholeKeys> = {
  name: "keys as admins see them",
  pieces: (sql, given) => keysOf(sql, given, adminKeyView),
};

export const resellerKeysStream: StreamQuery<WholeKeys> = {
  name: "keys as their reseller sees them",
  pieces: (sql, given) => keysOf(sql, given, resellerKeyView),
};

/** As `GET /api/admin/keys/manage` answers it. */
export const managedKeysStream: StreamQuery<WholeKeys> = {
  name: "admin keys, counted",
  async *pieces(sql, given) {
    let opening = '{"keys":';
    for await (const text of keysOf(sql, given, adminKeyView)) {
      yield opening + text;
      opening = "";
    }
    const { owner, at } = given.filter;
    const totalCount = await countKeys(sql, { owner, at });
    const matchCount = await countKeys(sql, given.filter);
    yield `,${JSON.stringify({ totalCount, matchCount, nextCursor: null }).slice(1)}`;
  },
};

function keysOf(
  sql: Sql,
  { filter, order, after, matchCount }: WholeKeys,
  view: (key: KeyRow, at: number) => unknown,
): AsyncIterable<string> {
  return wholeList({
    after,
    rowsOf: (page) => listKeys(sql, filter, order, page, matchCount),
    afterOf: (last) => [sortValueOf(last, order.sort), last.id] as [string | number, number],
    view: (key) => view(key, filter.at),
  });
}
