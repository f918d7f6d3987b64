import type { StreamQuery } from "../db/contract.ts";
import { wholeList } from "../db/paging.ts";
import { listResellers, type ResellerFilter, sortValueOf } from "./store.ts";
import { resellerView } from "./view.ts";

export const resellersStream: StreamQuery<{ filter: ResellerFilter; after: [string | number, number] | null }> = {
  name: "resellers",
  pieces: (sql, { filter, after }) =>
    wholeList({
      after,
      rowsOf: (page) => listResellers(sql, filter, page),
      afterOf: (last) => [sortValueOf(last, filter.sort), last.id] as [string | number, number],
      view: resellerView,
    }),
};
